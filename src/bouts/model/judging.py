"""What a test leaves to objects of the code under test, so that they, and not plain data, may decide it."""

from __future__ import annotations

from typing import Literal

from bouts.model.base import Fact

Judgement = Literal[
    "equality",
    "order",
    "membership",
    "truth",
    "arithmetic",
    "predicate",
    "iteration",
    "suppression",
    "assertion",
    "change",
]
"""Comparing (`==`, `<`), containing (`in`), being true, calculating with what it is given, methods such as `startswith`
that plain data has and that answer yes or no or search for what they are given, the end of a generator that is sent
values, an error that a context manager swallows, a failed assertion in one of the test's own functions that the code
keeps to itself, and a change of what the test gave: an argument in place, or a file that the test had written."""


class Judged(Fact):
    """What one test left to objects of the code under test."""

    asked: tuple[Judgement, ...] = ()
    """Answered by the process that runs the code; sorted."""
    put: tuple[Judgement, ...] = ()
    """Put to any object of the code, whoever answered; holds all of `asked`."""
    alone: bool = False
    """Whether nothing else came from the code: no plain data, no exception, no output."""
