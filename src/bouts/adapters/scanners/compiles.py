"""The compile check: whether Python accepts a file. Nothing is executed."""

from __future__ import annotations

import warnings

from bouts.adapters.scanners.sources import COMPILED


def problem(data: bytes, path: str) -> tuple[int, str] | None:
    """Line and reason why Python does not accept the file, or `None` where it does. Line 0 means the whole file."""
    if len(data) > COMPILED:
        return 0, f"larger than {COMPILED >> 20} MiB, not compiled"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return error.lineno or 0, error.msg or "syntax error"
    except MemoryError:
        return 0, "nested too deeply or too large for the compiler"
    except RecursionError:
        return 0, "nested too deeply for the compiler"
    except (ValueError, OverflowError) as error:
        return 0, str(error)
    return None
