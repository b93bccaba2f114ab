"""What Claude Code tells of its calls: results, edits by their structured result, tokens."""

from __future__ import annotations

import re

from bouts.adapters.transcripts import patches
from bouts.adapters.transcripts.patches import Edit
from bouts.adapters.transcripts.recording import Draft, Recording, Status
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    Object,
    first_text,
    number,
    obj,
    objects,
    plain,
    rows,
    shown,
    text,
    tokens,
    whole,
)
from bouts.model.session import Tokens

_EXIT = re.compile(r"(?:Error: )?Exit code (\d{1,3})\b")


def model_usage(counted: Object) -> Tokens | None:
    """Tokens as the totals of a stream name them."""
    return tokens(
        counted,
        input=("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"),
        output=("outputTokens",),
        cached=("cacheReadInputTokens",),
        cache_written=("cacheCreationInputTokens",),
    )


def usage(counted: Object) -> Tokens | None:
    """Tokens as an answer names them."""
    return tokens(
        counted,
        input=("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"),
        output=("output_tokens",),
        cached=("cache_read_input_tokens",),
        cache_written=("cache_creation_input_tokens",),
    )


def answer(part: Object, source: str | None, structured: object, time: Time | None, recording: Recording) -> None:
    """The result of a call, with the structured one beside it where there is one."""
    key = text(part.get("tool_use_id")) or f"@{source}"
    if key not in recording.open:
        recording.unmatched(key)
        return
    body, output = obj(structured), plain(part.get("content"))
    status: Status = "error" if part.get("is_error") else "ok"
    match = _EXIT.match(output)
    code = int(match[1]) if match else None
    draft = recording.open[key]
    if body.get("interrupted") or body.get("backgroundTaskId"):
        # What still runs, or was stopped, has neither passed nor failed.
        status = "unknown"
    if "stdout" in body and match is None:
        output = "\n".join(piece for piece in (plain(body["stdout"]), plain(body.get("stderr"))) if piece) or output
        code = 0 if status == "ok" else None
    spawned = first_text(body, "agentId")
    if spawned is not None:
        recording.spawned.setdefault(spawned, draft)
    length = next((n for name in ("durationMs", "totalDurationMs") if (n := number(body.get(name))) is not None), None)
    edits = _edits(body, draft) if status == "ok" else None
    recording.answer(
        draft, output or shown(structured), status=status, time=time, exit_code=code, duration_ms=length, edits=edits
    )


def _edits(body: Object, draft: Draft) -> list[Edit] | None:
    """What an edit did, by its structured result."""
    path = first_text(body, "filePath")
    if path is None or draft.acts[0].operation not in ("edit", "create"):
        return None
    found = [
        (whole(hunk.get("newStart")) or 1, [line for line in rows(hunk.get("lines")) if isinstance(line, str)])
        for hunk in objects(body.get("structuredPatch"))
    ]
    if found:
        edit = patches.hunks(found, path)
        edit.change = "create" if body.get("type") == "create" else "edit"
        return [edit]
    content = text(body.get("content"))
    if content is None:
        return None
    if body.get("type") == "create":
        return [Edit(path, "create", len(content.splitlines()), "exact")]
    original = text(body.get("originalFile"))
    if original is None:
        return None
    lines, basis = patches.replaced(original, content)
    return [Edit(path, "edit", lines, basis)]
