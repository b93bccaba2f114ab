"""One target under atheris: `one.py TARGET INPUTS CORPUS FINDINGS MEGABYTES`. Run by `scripts/fuzz`."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECONDS = 10.0
"""Processor time for one input. The clock on the wall would blame an input for what else a machine does."""
HANGS = 3600
"""Seconds on the wall after which libFuzzer ends a target that does not even come back to the interpreter."""


class TooSlow(BaseException):
    """An input took too long. No reader may take it for a failure of its own."""


def _too_slow(*_: object) -> None:
    raise TooSlow


def main() -> None:
    """Entry point; atheris ends the process."""
    import atheris

    name, inputs, corpus, findings, memory = sys.argv[1:]
    sys.path.insert(0, str(HERE))
    sys.path.insert(1, str(HERE.parents[1] / "src"))
    from targets import PREFIXES, TARGETS, seeds

    with atheris.instrument_imports(include=list(PREFIXES[name])):
        target = TARGETS[name]()
        target(b"")
    for given, data in seeds(name).items():
        (Path(corpus) / given).write_bytes(data)
    signal.signal(signal.SIGVTALRM, _too_slow)

    def timed(data: bytes) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        target(data)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    options = [
        f"-runs={inputs}",
        f"-timeout={HANGS}",
        f"-rss_limit_mb={memory}",
        "-max_len=8192",
        "-len_control=50",
        f"-artifact_prefix={findings}/{name}-",
        "-print_final_stats=1",
        "-verbosity=1",
    ]
    words = HERE / "words" / name
    if words.exists():
        options.append(f"-dict={words}")
    atheris.Setup([sys.argv[0], *options, corpus], timed)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
