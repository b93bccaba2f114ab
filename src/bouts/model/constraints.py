"""Constraints that a briefing states and a machine can check: rules over the syntax tree, and the author's scripts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from bouts.model.base import Fact

FunctionName = Annotated[
    str, StringConstraints(pattern=r"^[^\s:/][^\s:]*\.py::[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$", max_length=300)
]
DottedName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$", max_length=200)]
Says = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]


class MustUseRecursion(Fact):
    """The function calls itself, directly or by way of other functions of its file."""

    kind: Literal["must_use_recursion"]
    says: Says
    """The constraint as the briefing states it; shown with every violation."""
    function: FunctionName
    """`path/of/file.py::name` or `path/of/file.py::Class.name`."""


class MayNotImport(Fact):
    """No changed file imports these modules or anything below them, by whatever name or detour."""

    kind: Literal["may_not_import"]
    says: Says
    """The constraint as the briefing states it; shown with every violation."""
    modules: Annotated[tuple[DottedName, ...], Field(min_length=1)]


class MayNotCall(Fact):
    """No changed file calls these functions, or takes hold of them, by whatever name or detour."""

    kind: Literal["may_not_call"]
    says: Says
    """The constraint as the briefing states it; shown with every violation."""
    names: Annotated[tuple[DottedName, ...], Field(min_length=1)]
    """Built-in functions (`eval`) and functions of modules (`os.system`)."""


class NoNewDependency(Fact):
    """Neither manifest nor imports name a package that was not there before and that `dependencies` does not allow."""

    kind: Literal["no_new_dependency"]
    says: Says
    """The constraint as the briefing states it; shown with every violation."""


class MustKeepSignature(Fact):
    """The function takes the parameters that it took as given; annotations may change."""

    kind: Literal["must_keep_signature"]
    says: Says
    """The constraint as the briefing states it; shown with every violation."""
    function: FunctionName
    """`path/of/file.py::name` or `path/of/file.py::Class.name`."""


class MustDefine(Fact):
    """A changed file defines these functions, classes or variables at its top level."""

    kind: Literal["must_define"]
    says: Says
    """The constraint as the briefing states it; shown with every violation."""
    path: Annotated[str, StringConstraints(min_length=1, max_length=300)]
    names: Annotated[tuple[DottedName, ...], Field(min_length=1)]


class MaxLines(Fact):
    """A changed file has at most so many lines that are neither blank nor comments."""

    kind: Literal["max_lines"]
    says: Says
    """The constraint as the briefing states it; shown with every violation."""
    files: Annotated[tuple[str, ...], Field(min_length=1)]
    """Patterns as in `editable`."""
    lines: Annotated[int, Field(ge=1)]


class OnlyFiles(Fact):
    """Nothing that can be edited is changed, added or deleted but these files; deliverables may always be."""

    kind: Literal["only_files"]
    says: Says
    """The constraint as the briefing states it; shown with every violation."""
    files: Annotated[tuple[str, ...], Field(min_length=1)]
    """Patterns as in `editable`."""


class Script(Fact):
    """A Python program of the author's, run in a sandbox with the submission's files in its working folder.

    Standard input is one JSON object with the paths `changed` and `deleted`. Each line that the program prints is one
    violation: a JSON object with `message` and, where there is one, `path` and `line`. It ends with status 0 whatever
    it finds; anything else is a mistake of the program, and nobody is blamed.
    """

    kind: Literal["script"]
    says: Says
    """The constraint as the briefing states it; shown with every violation."""
    path: Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=r"^constraints/[\w./-]+\.py$")]
    """The program, below `constraints/` in the package; no agent sees it."""
    seconds: Annotated[float, Field(gt=0, le=60)] = 10.0


Constraint = Annotated[
    MustUseRecursion
    | MayNotImport
    | MayNotCall
    | NoNewDependency
    | MustKeepSignature
    | MustDefine
    | MaxLines
    | OnlyFiles
    | Script,
    Field(discriminator="kind"),
]
