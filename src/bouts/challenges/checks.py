"""One line of `bouts check`."""

from __future__ import annotations

from typing import Literal

from bouts.model.base import Fact


class Check(Fact):
    """One thing that was looked at. An error keeps a package a draft; a warning is for the author to judge."""

    name: str
    """What was looked at, such as `briefing` or `rubric`."""
    level: Literal["ok", "warning", "error"]
    message: str
    remedy: str = ""
    """What to do about it; empty where all is well."""


def ok(name: str, message: str) -> Check:
    """A check that found nothing wrong."""
    return Check(name=name, level="ok", message=message)


def warning(name: str, message: str, remedy: str) -> Check:
    """Something that may be meant, and should be looked at."""
    return Check(name=name, level="warning", message=message, remedy=remedy)


def error(name: str, message: str, remedy: str) -> Check:
    """Something that must be mended before anything can be scored fairly."""
    return Check(name=name, level="error", message=message, remedy=remedy)


def settled(name: str, found: list[Check], message: str) -> list[Check]:
    """What was found, or one line that all is well."""
    return found or [ok(name, message)]
