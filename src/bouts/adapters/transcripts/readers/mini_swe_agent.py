"""mini-swe-agent: trajectories of version 2, and the bare lists of messages of version 1. Its tool is a shell."""

from __future__ import annotations

import re

from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.reader import CERTAIN, NO
from bouts.adapters.transcripts.recording import Draft, Recording
from bouts.adapters.transcripts.source import Source
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    EMPTY,
    Object,
    arguments,
    dollars,
    first_text,
    obj,
    objects,
    plain,
    rows,
    text,
    tokens,
    whole,
)

NAME = "mini-swe-agent"
TITLE = "mini-swe-agent (.traj.json)"

_FENCE = re.compile(r"^```(?:mswea_bash_command|bash)[ \t]*\n(.*?)\n?```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"<returncode>(-?\d{1,6})</returncode>")
_OUTPUT = re.compile(r"\A\s*<returncode>-?\d{1,6}</returncode>\s*|</?(?:output|output_head|output_tail)>\n?")
_END = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")


def detect(source: Source) -> int:
    """By its name for the format, else by messages with its fence and its return codes."""
    body = obj(source.value)
    if str(body.get("trajectory_format", "")).startswith("mini-swe-agent") or "mini_version" in obj(body.get("info")):
        return CERTAIN + 5
    said = [plain(row.get("content"))[:20_000] for row in _messages(source)[:40] if "role" in row]
    return CERTAIN if any("```mswea_bash_command" in s or _CODE.search(s) for s in said) else NO


def _messages(source: Source) -> list[Object]:
    value = source.value
    return list(objects(rows(value) or obj(value).get("messages")))


def read(source: Source, recording: Recording) -> None:
    """Tell the session."""
    info = obj(obj(source.value).get("info"))
    recording.agent = "mini-swe-agent"
    recording.agent_version = first_text(info, "mini_version")
    recording.outcome = first_text(info, "exit_status")
    stats = obj(info.get("model_stats"))
    recording.reported_cost = dollars(stats.get("instance_cost"))
    recording.reported_tokens = tokens(stats, input=("prompt_tokens",), output=("completion_tokens",))
    recording.folder = first_text(obj(obj(info.get("config")).get("environment")), "cwd")
    waiting: list[Draft] = []
    for place, message in enumerate(_messages(source)):
        extra = obj(message.get("extra"))
        written = times.epoch(extra.get("timestamp"))
        time = written or times.epoch(message.get("timestamp"))
        said = plain(message.get("content"))
        match message.get("role"):
            case "assistant":
                waiting = _answer(message, said, extra, time, place, recording)
            case "user" | "tool" if waiting:
                _result(message, said, extra, written, waiting, recording)
            case "user":
                recording.message("user", said, time=time)
            case _:
                recording.ignored += 1


def _answer(
    message: Object, said: str, extra: Object, time: Time | None, place: int, recording: Recording
) -> list[Draft]:
    """What the model said and the commands in it."""
    response = obj(extra.get("response"))
    model = text(response.get("model"))
    calls = list(objects(message.get("tool_calls")))
    wanted = [(first_text(action, "command"), "bash") for action in objects(extra.get("actions"))]
    if not any(line for line, _ in wanted):
        wanted = [_asked(call) for call in calls] or [(m[1], "bash") for m in _FENCE.finditer(said[:200_000])][:1]
    spoken = recording.message("agent", _FENCE.sub("", said[:200_000]), time=time, model=model)
    drafts: list[Draft] = []
    for position, (line, name) in enumerate(wanted):
        call = calls[position] if position < len(calls) else EMPTY
        key = text(call.get("id"))
        if line is None:
            # Forks have tools besides the shell.
            given = arguments(obj(call.get("function")).get("arguments"))
            draft = recording.call(name, given, key=key, time=time, model=model)
        elif any(end in line for end in _END) and line.lstrip().startswith("echo"):
            draft = recording.call("submit", {}, key=key, time=time, model=model)
        else:
            draft = recording.call(name, {"command": line}, key=key, time=time, model=model)
        drafts += [draft] if draft is not None else []
    usage = tokens(
        obj(response.get("usage")),
        input=("prompt_tokens", "input_tokens"),
        output=("completion_tokens", "output_tokens"),
    )
    cost = dollars(extra.get("cost"))
    if usage is not None or cost is not None:
        recording.charge(f"message/{place}", usage, cost=cost, model=model, draft=spoken or (drafts or [None])[0])
    return drafts


def _asked(call: Object) -> tuple[str | None, str]:
    """The shell line that a call asks for, and the name of its tool."""
    function = obj(call.get("function"))
    given = arguments(function.get("arguments"))
    return first_text(given, "command", "bash_command"), first_text(function, "name") or "unknown"


def _result(
    message: Object, said: str, extra: Object, written: Time | None, waiting: list[Draft], recording: Recording
) -> None:
    """What a command gave: by its id, else the next one that waits."""
    named = recording.open.get(text(message.get("tool_call_id")) or "")
    draft = named if named in waiting else waiting[0]
    waiting.remove(draft)
    match = _CODE.search(said[:200])
    code = whole(extra.get("returncode"))
    if code is None and match is not None:
        code = int(match[1])
    # The time of the result is that of the message, which is written when the command has ended.
    recording.answer(draft, _OUTPUT.sub("", said), exit_code=code, time=written)
