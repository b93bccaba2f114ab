"""What `bouts check` can say without running anything: the seven components and what belongs to each."""

from __future__ import annotations

from collections import Counter

from bouts.challenges import names
from bouts.challenges.briefing import briefing_checks
from bouts.challenges.checks import Check, error, settled, warning
from bouts.challenges.constraints import constraint_checks
from bouts.challenges.given import BRIEFING, SUPPORT, VISIBLE
from bouts.challenges.python import too_old
from bouts.challenges.reading import Package
from bouts.challenges.refusing import names_of, refusal
from bouts.challenges.rubric import match_adversarial, match_static
from bouts.challenges.samples import sample_checks
from bouts.challenges.shape import CI, LOCKS, MANIFESTS, format_checks, profile_checks
from bouts.model.challenge import Boundary, Category, Rubric
from bouts.model.inventory import Inventory

STATIC_FOLDERS = ("unit", "integration", "e2e")
HIDDEN_FOLDERS = ("input", "concurrency", "state", "resource")
MIX = {Category.FUNCTIONALITY: 50, Category.EDGE: 30, Category.INTEGRATION: 20}
"""Share of the static points that each category should have, in percent."""
MIX_SLACK = 15


def component_checks(package: Package) -> list[Check]:
    """Every check that needs no run, in the order of the seven components, then format and samples."""
    return [
        *briefing_checks(package),
        *_codebase(package),
        *_python(package),
        *_tests(package),
        *_inventory(package),
        *_rubric(package),
        *_reference(package),
        *profile_checks(package),
        *format_checks(package),
        *_scope(package),
        *constraint_checks(package),
        *sample_checks(package),
    ]


def _codebase(package: Package) -> list[Check]:
    paths = sorted(package.below("codebase"))
    if not paths:
        return [error("codebase", "there is no codebase/", "put the workspace that the agent starts from there")]
    wanted = {
        "a README": any(p.lower().startswith("readme") for p in paths),
        "a dependency manifest": any(p in MANIFESTS for p in paths),
        "an .env.example": ".env.example" in paths,
        "a CI config": any(p.startswith(CI) for p in paths),
    }
    lock = package.manifest.environment.lock
    if lock is not None:
        wanted["a lock file"] = any(p in LOCKS for p in paths)
    found = [
        error("codebase", f"it lacks {w}", "a codebase should look like one that people work in")
        for w, has in wanted.items()
        if not has
    ]
    if lock is not None and lock not in package.files:
        found.append(
            error(
                "environment",
                f"there is no {lock}",
                "pin the dependencies with hashes, or set `environment.lock: null`",
            )
        )
    clash = [p for p in paths if p == BRIEFING or p.startswith((VISIBLE, SUPPORT))]
    found += [error("codebase", f"codebase/{p} stands where the agent gets {p}", "move it") for p in clash[:5]]
    found += _leaks(package)
    return settled("codebase", found, f"{len(paths)} files with README, manifest, .env.example and CI config")


def _python(package: Package) -> list[Check]:
    old = too_old(package.manifest.environment)
    if old is None:
        return []
    remedy = "nothing can be scored here; use a newer Python, or lower `environment.python`"
    return [warning("environment", old, remedy)]


def _leaks(package: Package) -> list[Check]:
    """Files of what must stay hidden that an agent is given under another name."""
    secret = {
        f.sha256: p for p, f in package.files.items() if p.startswith(("tests/adversarial/", "reference/")) and f.size
    }
    given = {p: package.files[source] for p, source in package.given.items()}
    same_place = package.below("reference")
    return [
        error("codebase", f"{p} is the same as {secret[f.sha256]}, which no agent may see", "take it out")
        for p, f in given.items()
        if f.sha256 in secret and not (p in same_place and same_place[p].sha256 == f.sha256)
    ]


def _tests(package: Package) -> list[Check]:
    found: list[Check] = []
    counted: list[str] = []
    for suite, folders in (("static", STATIC_FOLDERS), ("adversarial", HIDDEN_FOLDERS)):
        paths = [
            p for p in package.below(f"tests/{suite}") if p.rsplit("/", 1)[-1].startswith("test_") and p.endswith(".py")
        ]
        counted.append(f"{len(paths)} {suite}")
        if not paths:
            found.append(
                error(
                    "tests",
                    f"there are no tests in tests/{suite}/",
                    f"write test_*.py files below {', '.join(folders)}",
                )
            )
        found += [
            error("tests", f"tests/{suite}/{p} lies in none of {', '.join(folders)}", "move it into the one that fits")
            for p in paths
            if p.split("/")[0] not in folders
        ]
    return settled("tests", found, f"test files: {' and '.join(counted)}")


def _inventory(package: Package) -> list[Check]:
    inventory = package.inventory
    freeze = "run `bouts check --freeze`, which runs the reference and writes inventory.json"
    if inventory is None:
        return [error("inventory", "there is no inventory.json, so no test is known", freeze)]
    if not package.inventory_fits:
        return [error("inventory", "the tests have changed since the inventory was made", freeze)]
    visible, hidden = len(inventory.static), len(inventory.adversarial)
    found: list[Check] = []
    if not visible or not hidden:
        found.append(
            error("inventory", f"it lists {visible} visible and {hidden} hidden tests", "each suite needs tests")
        )
    if hidden < 2 * visible:
        message = f"{hidden} hidden tests for {visible} visible ones"
        found.append(
            error("inventory", message, f"write at least {2 * visible - hidden} more: twice as many hidden as visible")
        )
    return settled("inventory", found, f"{visible} visible and {hidden} hidden tests")


def _rubric(package: Package) -> list[Check]:
    rubric, inventory = package.manifest.rubric, package.inventory
    validated = {b for rule in rubric.adversarial for b in rule.validates}
    found = [
        error("rubric", f"no hidden rule validates the behaviour {b!r}", "add a hidden test and name it in `validates`")
        for b in rubric.behaviours
        if b not in validated
    ]
    promised = {rule.behaviour for rule in rubric.static}
    found += [
        warning("rubric", f"no visible test shows the behaviour {b!r}", "hidden tests should validate what is visible")
        for b in rubric.behaviours
        if b not in promised
    ]
    if inventory is not None:
        found += _matching(package.manifest.rubric, inventory)
    matched = "every test has a rule" if inventory else "tests can be matched once the inventory is there"
    return settled("rubric", found, f"every behaviour has a hidden rule; {matched}")


def _matching(rubric: Rubric, inventory: Inventory) -> list[Check]:
    found: list[Check] = []
    static, hidden = match_static(rubric, inventory.static), match_adversarial(rubric, inventory.adversarial)
    for suite, matched in (("static", static), ("adversarial", hidden)):
        found += [
            error("rubric", f"no rule matches {suite}/{t}", f"add one to `rubric.{suite}`") for t in matched.unmatched
        ]
        found += [
            warning(
                "rubric", f"{suite}/{t} is matched by two rules that disagree", "the first decides; make one narrower"
            )
            for t in matched.ambiguous
        ]
        found += [
            warning("rubric", f"the {suite} rule {p!r} decides no test", "correct or remove it") for p in matched.unused
        ]
    used = {b for rule in hidden.rules.values() for b in rule.validates}
    declared = {b for rule in rubric.adversarial for b in rule.validates}
    found += [
        error("rubric", f"the rules that validate {b!r} match no hidden test", "write the test, or correct `match`")
        for b in rubric.behaviours
        if b in declared - used
    ]
    points: Counter[Category] = Counter()
    for rule in static.rules.values():
        points[rule.category] += round(rule.points * 1000)
    total = sum(points.values())
    shares = {c: 100 * points[c] / total if total else 0.0 for c in MIX}
    if any(abs(shares[c] - MIX[c]) > MIX_SLACK for c in MIX):
        said = ", ".join(f"{c.value} {shares[c]:.0f} %" for c in MIX)
        found.append(
            warning("rubric", f"static points: {said}", "aim at functionality 50 %, edge 30 %, integration 20 %")
        )
    return found


def _reference(package: Package) -> list[Check]:
    paths = package.below("reference")
    if not paths:
        return [error("reference", "there is no reference/", "put the changed files of a full solution there")]
    known = names_of(package.manifest, package.given)
    found = [
        error(
            "reference",
            f"reference/{p} would not be staged",
            "it matches no pattern of `editable`, or its name is refused",
        )
        for p in paths
        if not names.in_scope(p, package.manifest.editable) or refusal(p, known)
    ]
    found += [
        error("reference", f"the deliverable {d.path} is missing in it", "write it, as an agent would be expected to")
        for d in package.manifest.deliverables
        if d.path not in paths
    ]
    return settled("reference", found, f"{len(paths)} files, every deliverable among them")


def _scope(package: Package) -> list[Check]:
    manifest = package.manifest
    found: list[Check] = []
    if "**" in manifest.editable:
        message = "`editable` is `**`: no file is read-only, so nothing can be said to lie outside the task"
        found.append(warning("editable", message, "name the folders and files that the task is about"))
    known = {*package.given, *package.below("reference"), *(d.path for d in manifest.deliverables)}
    for pattern in manifest.editable:
        fitting = [p for p in known if names.matches(p, pattern)]
        if not fitting:
            found.append(
                warning("editable", f"{pattern!r} matches nothing in codebase or reference", "correct or remove it")
            )
        elif pattern != "**" and all(p.startswith("tests/") for p in fitting):
            found.append(warning("editable", f"{pattern!r} matches tests alone, which are never taken", "remove it"))
    used = {manifest.suites.static.boundary, manifest.suites.adversarial.boundary}
    for boundary in (Boundary.CALLS, Boundary.HTTP, Boundary.CLI):
        if getattr(manifest.interface, boundary.value) is not None and boundary not in used:
            found.append(warning("interface", f"`interface.{boundary}` is used by no suite", "remove it, or use it"))
    return settled("editable", found, ", ".join(manifest.editable))
