"""The agent as one file of bytecode that a bare interpreter runs."""

from __future__ import annotations

import importlib.util
import marshal
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from types import CodeType

_MODULES = ("", ".kernel", ".owners", ".rooms", ".commands", ".watch", ".beginning", ".main")
_PACKAGE = "bouts.adapters.sandboxes.inside"
_MARK = "here"
# Modules are put in place before they run, so that no file is searched for.
_LAUNCHER = f"""
import gc, sys, marshal
gc.disable()  # until all that stays is there
for name, code in marshal.loads({_MARK!r}):
    module = type(sys)(name)
    module.__package__ = "inside"
    if name == "inside":
        module.__path__ = []
    sys.modules[name] = module
    exec(code, module.__dict__)
try:
    sys.modules["inside.main"].main(int(sys.argv[1]))
except sys.modules["inside.commands"].Become as become:
    path, argv = become.path, become.argv
with open(path, "rb") as file:
    code = marshal.loads(file.read()[16:])
main = type(sys)("__main__")
for name in [name for name in sys.modules if name.partition(".")[0] in ("inside", "__main__")]:
    del sys.modules[name]
sys.modules["__main__"] = main
sys.argv[:] = argv
sys.orig_argv[:] = ["python", *argv]
exec(code, main.__dict__)
"""


@lru_cache(maxsize=1)
def build() -> bytes:
    """Bytecode of the launcher with the agent's modules inside it, for the interpreter that runs this."""
    parts: list[tuple[str, CodeType]] = []
    for suffix in _MODULES:
        spec = importlib.util.find_spec(_PACKAGE + suffix)
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            raise ImportError(f"{_PACKAGE}{suffix} is not installed as a source file")
        code = spec.loader.get_code(_PACKAGE + suffix)
        assert code is not None
        parts.append((f"inside{suffix}", _renamed(code, f"<inside{suffix}>")))
    launcher = compile(_LAUNCHER, "<inside>", "exec")
    constants = tuple(marshal.dumps(parts) if item == _MARK else item for item in launcher.co_consts)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(launcher.replace(co_consts=constants))


def _renamed(code: CodeType, name: str) -> CodeType:
    """The same code without the host's paths."""
    inner = tuple(_renamed(item, name) if isinstance(item, CodeType) else item for item in code.co_consts)
    return code.replace(co_filename=name, co_consts=inner)
