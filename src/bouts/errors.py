"""Every error that Bouts raises on purpose.

    BoutsError                 has code, message, where, hint, exit_status
    ├── UserError       exit 2   something handed to Bouts is wrong; the user can mend it
    │   ├── NotFound             no such file, folder, challenge, card, key or policy
    │   ├── BadFile              a file that cannot be read as what it should be
    │   ├── BadChallenge         a challenge package that breaks its format
    │   ├── BadSubmission        a submission that cannot be taken (unsafe archive, junk, too large)
    │   └── BadUsage             options that do not go together
    └── WorldError      exit 3   a fault of ours or of the machine; running again may help
        ├── SandboxUnavailable   no sandbox works here; `bouts doctor` says how to mend it
        ├── SandboxFault         a sandbox died through no act of the submission
        ├── HostFault            a helper process of ours died or broke its protocol
        ├── StoreFault           the store cannot be read or written (disk full, no permission)
        └── VerificationFailed   a card or its evidence does not agree with itself

A submission that fails is no error: it is evidence, and the exit status is 0.
"""

from __future__ import annotations

from typing import ClassVar


class BoutsError(Exception):
    """A failure told in three parts: what is wrong, where, and what to do about it."""

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 3

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        parts = [f"{self.where}: {self.message}" if self.where else self.message]
        if self.hint:
            parts.append(f"hint: {self.hint}")
        return "\n".join(parts)

    def as_dict(self) -> dict[str, str | None]:
        """The shape that `--json` prints: `{"code", "message", "where", "hint"}`."""
        return {"code": self.code, "message": self.message, "where": self.where, "hint": self.hint}


class UserError(BoutsError):
    """Something handed to Bouts is wrong; exit status 2."""

    code = "user_error"
    exit_status = 2


class NotFound(UserError):
    """What was named does not exist."""

    code = "not_found"


class BadFile(UserError):
    """A file is not what it should be."""

    code = "bad_file"


class BadChallenge(UserError):
    """A challenge package breaks its format; `problems` lists every place."""

    code = "bad_challenge"

    def __init__(
        self, message: str, *, where: str | None = None, hint: str | None = None, problems: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, where=where, hint=hint)
        self.problems = problems


class BadSubmission(UserError):
    """A submission cannot be taken as it is."""

    code = "bad_submission"


class BadUsage(UserError):
    """Options or arguments that do not go together."""

    code = "bad_usage"


class WorldError(BoutsError):
    """A fault of ours or of the world; exit status 3."""

    code = "world_error"
    exit_status = 3


class SandboxUnavailable(WorldError):
    """No sandbox works on this machine."""

    code = "sandbox_unavailable"


class SandboxFault(WorldError):
    """A sandbox died through no act of the submission."""

    code = "sandbox_fault"


class HostFault(WorldError):
    """A helper process died or broke its protocol."""

    code = "host_fault"


class StoreFault(WorldError):
    """The store cannot be read or written."""

    code = "store_fault"


class VerificationFailed(WorldError):
    """A card or its evidence does not agree with itself."""

    code = "verification_failed"
