# Bouts. `make demo` and `make test` do all their own set-up.
.DEFAULT_GOAL := help
PYTHON ?=
export PYTHON
BIN := .venv/bin

help:  ## List the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run-env:
	@scripts/setup run

dev-env:
	@scripts/setup dev

demo: run-env  ## Score all samples of the two example challenges and show a card
	@$(BIN)/bouts demo

test: dev-env  ## Run all tests
	@$(BIN)/python $(if $(ARGS),-m pytest $(ARGS),scripts/test)

mutation:  ## Edit scoring, policies and standings in small ways and count what no test notices (slow)
	@$(or $(PYTHON),python3) scripts/mutation $(ARGS)

fuzz:  ## Give every reader of hostile bytes a million inputs (hours); ARGS="TARGET --inputs N" for less
	@$(or $(PYTHON),python3) scripts/fuzz $(ARGS)

exploits: dev-env  ## Score the attacks on the grader and print what became of each
	@$(BIN)/python tests/exploits $(ARGS)

crashes: dev-env  ## Kill processes that record at every boundary, and fill their disk (200 rounds)
	@$(BIN)/python tests/contracts/stores/crashing.py $(ARGS)

trust: dev-env  ## Score the attacks and write the table of docs/explanation/trust.md anew
	@$(BIN)/python tests/exploits --markdown

check: dev-env  ## Everything that CI checks besides the tests
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/basedpyright --warnings
	@$(BIN)/lint-imports
	@$(BIN)/deptry src
	@$(BIN)/python scripts/generate --check
	@$(BIN)/python scripts/check_numbers.py

generate: dev-env  ## Write the generated documents (JSON Schemas, command reference) anew
	@$(BIN)/python scripts/generate

bench: dev-env  ## Measure, as ratios within one run
	@$(BIN)/python bench/run.py $(ARGS)

wheel: dev-env  ## Build the wheel into dist/
	@$(BIN)/python -m hatchling build -t wheel

lock:  ## Resolve the locked requirements anew (needs uv)
	uv pip compile pyproject.toml --group build --universal --generate-hashes --no-header -q -o requirements.lock
	uv pip compile pyproject.toml --group build --group dev --universal --generate-hashes --no-header -q -o requirements-dev.lock
	uv pip compile pyproject.toml --group build --group dev --group mutation --universal --generate-hashes --no-header -q -o requirements-mutation.lock
	uv pip compile pyproject.toml --group fuzz --universal --generate-hashes --no-header -q -o requirements-fuzz.lock

clean:  ## Remove what the targets made
	rm -rf .venv dist build out .pytest_cache .ruff_cache .hypothesis .import_linter_cache

.PHONY: help run-env dev-env demo test mutation fuzz exploits crashes trust check generate bench wheel lock clean
