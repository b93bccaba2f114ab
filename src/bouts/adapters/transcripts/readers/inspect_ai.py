"""Inspect AI: logs as `.json` and as `.eval` archives. A log may hold several samples, each a session of its own."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Mapping
from typing import cast

from bouts.adapters.transcripts import times
from bouts.adapters.transcripts.reader import CERTAIN, LIKELY, NO
from bouts.adapters.transcripts.recording import Draft, Recording, Status
from bouts.adapters.transcripts.source import DOCUMENT_BYTES, Source, chosen
from bouts.adapters.transcripts.times import Time
from bouts.adapters.transcripts.values import (
    EMPTY,
    Object,
    arguments,
    first_text,
    number,
    obj,
    objects,
    plain,
    rows,
    summed,
    text,
    tokens,
)
from bouts.errors import BadFile
from bouts.model.session import Tokens

NAME = "inspect-ai"
TITLE = "Inspect AI (.json, .eval)"

_MEMBER = "samples/"
_REFERENCE = ("attachment://", "tc://")
MOST_SAMPLES = 100_000


def detect(source: Source) -> int:
    """By the parts of a log, or the members of an archive."""
    if source.is_zip:
        return (
            CERTAIN if any(n.startswith((_MEMBER, "_journal/")) or n == "header.json" for n in _names(source)) else NO
        )
    body = obj(source.value)
    if "eval" in body and "status" in body and "plan" in body:
        return CERTAIN
    events = list(objects(body.get("events")))[:20]
    return LIKELY if any(e.get("event") in ("model", "tool") for e in events) else NO


def _names(source: Source) -> list[str]:
    try:
        with zipfile.ZipFile(source.path) as archive:
            return archive.namelist()[: MOST_SAMPLES + 1000]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return []


def read(source: Source, recording: Recording) -> None:
    """Tell one sample. Raises `BadFile` where there are several and none was named."""
    recording.agent = "inspect-ai"
    if source.is_zip:
        names = [n for n in _names(source) if n.startswith(_MEMBER) and n.endswith(".json")]
        parts = {n.removeprefix(_MEMBER).removesuffix(".json"): n for n in names}
        if not parts:
            raise BadFile("the log holds no sample: the run was not finished", where=str(source.path))
        name, member = chosen(source, parts.items())
        sample = _member(source, member)
        header = _member(source, "header.json") if "header.json" in _names(source) else EMPTY
        _log(header, recording)
    else:
        body = obj(source.value)
        _log(body, recording)
        if "eval" in body:
            name, sample = chosen(source, _samples(body).items())
        else:
            name, sample = None, body
    recording.session_id = first_text(sample, "uuid") or name or first_text(sample, "id")
    _sample(sample, recording)


def _samples(body: Object) -> dict[str, Object]:
    """Samples by id and epoch."""
    found: dict[str, Object] = {}
    for sample in objects(body.get("samples")):
        found[f"{sample.get('id')}_epoch_{sample.get('epoch', 1)}"] = sample
    return found


def _member(source: Source, name: str) -> Object:
    """A member of the archive, read up to the size that a document may have."""
    where = f"{source.path}: {name}"
    try:
        try:
            data = _read(zipfile.ZipFile, source, name)
        except NotImplementedError:
            # Newer logs compress with zstd, which the standard library reads from Python 3.14 on.
            data = _read(_zstd_zip(), source, name)
        value = None if len(data) > DOCUMENT_BYTES else cast("object", json.loads(data.decode("utf-8", "replace")))
    except NotImplementedError as error:
        hint = "write the log as JSON: inspect log convert --to json"
        raise BadFile(
            f"the sample is compressed in a way that cannot be read here: {error}", where=where, hint=hint
        ) from error
    except RecursionError as error:
        raise BadFile("nested too deeply", where=where) from error
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, RuntimeError, KeyError) as error:
        raise BadFile(f"the archive cannot be read: {error}", where=where) from error
    except Exception as error:
        if type(error).__name__ in ("error", "LZMAError", "ZstdError", "BadZipFile"):
            raise BadFile(f"the archive cannot be read: {error}", where=where) from error
        raise
    if value is None:
        raise BadFile("the sample is larger than 256 MB, or empty", where=where)
    return obj(value)


def _read(opener: type[zipfile.ZipFile], source: Source, name: str) -> bytes:
    with opener(source.path) as archive, archive.open(name) as file:
        return file.read(DOCUMENT_BYTES + 1)


def _zstd_zip() -> type[zipfile.ZipFile]:
    """An archive that knows zstd. Raises `NotImplementedError` where there is none."""
    if sys.version_info >= (3, 14):
        raise NotImplementedError("an unknown method")
    from backports.zstd.zipfile import ZipFile

    return cast("type[zipfile.ZipFile]", ZipFile)


def _log(body: Object, recording: Recording) -> None:
    plan = obj(body.get("eval"))
    recording.outcome = first_text(body, "status")
    recording.agent_version = first_text(obj(plan.get("packages")), "inspect_ai")
    recording.charge("log", None, model=first_text(plan, "model"))


class _Texts:
    """Texts that a sample holds once and refers to."""

    def __init__(self, sample: Object) -> None:
        self.known: Mapping[str, object] = obj(sample.get("attachments"))

    def of(self, value: object) -> str:
        said = plain(value)
        if said.startswith(_REFERENCE):
            return plain(self.known.get(said.partition("://")[2])) or said
        return said

    def arguments(self, value: object) -> Object:
        found = arguments(value)
        return {k: self.of(v) if isinstance(v, str) and v.startswith(_REFERENCE) else v for k, v in found.items()}


def _sample(sample: Object, recording: Recording) -> None:
    texts = _Texts(sample)
    events = list(objects(sample.get("events"))) or list(objects(obj(sample.get("transcript")).get("events")))
    messages = list(objects(sample.get("messages")))
    timed = [event for event in events if event.get("event") == "tool"]
    length = number(sample.get("total_time"))
    recording.reported_seconds = length
    recording.reported_tokens = summed(_usage(obj(counted)) for counted in obj(sample.get("model_usage")).values())
    limit = obj(sample.get("limit"))
    recording.outcome = f"limit: {limit['type']}" if "type" in limit else recording.outcome
    if any(event.get("event") in ("model", "tool") for event in events):
        _events(events, messages, texts, recording)
    else:
        _messages(messages, texts, recording)
    recording.ignored += len(rows(sample.get("events"))) - len(timed)


def _usage(counted: Object) -> Tokens | None:
    cached, written = counted.get("input_tokens_cache_read"), counted.get("input_tokens_cache_write")
    names = ("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write")
    # Some providers count what a cache gave as part of the input, others beside it; the total tells which.
    total, plain_sum = number(counted.get("total_tokens")), tokens(counted, input=("input_tokens", "output_tokens"))
    beside = bool(cached or written) and total is not None and plain_sum is not None and total > plain_sum.input
    return tokens(
        counted,
        input=names if beside else ("input_tokens",),
        output=("output_tokens",),
        cached=("input_tokens_cache_read",),
        cache_written=("input_tokens_cache_write",),
        reasoning=("reasoning_tokens",),
    )


def _events(events: list[Object], messages: list[Object], texts: _Texts, recording: Recording) -> None:
    """The sample by its events, which have times."""
    start = next((e for e in events if e.get("event") == "sample_init"), EMPTY)
    for message in messages:
        if message.get("role") == "user" and message.get("source") in ("input", None):
            recording.message("user", texts.of(message.get("content")), time=times.iso(start.get("timestamp")))
    for place, event in enumerate(events, 1):
        time = times.iso(event.get("timestamp"))
        match event.get("event"):
            case "model":
                _answered(event, time, place, texts, recording)
            case "tool":
                _tool(event, time, texts, recording)
            case "error":
                recording.outcome = "error"
            case None:
                recording.lost("events without a kind", f"event {place}")
            case _:
                pass


def _answered(event: Object, time: Time | None, place: int, texts: _Texts, recording: Recording) -> None:
    output = obj(event.get("output"))
    choice = next(objects(output.get("choices")), None)
    message = obj(choice.get("message")) if choice is not None else EMPTY
    model = first_text(output, "model") or first_text(event, "model")
    said = recording.message("agent", texts.of(message.get("content")), time=time, model=model)
    usage = _usage(obj(output.get("usage")))
    if usage is not None:
        recording.charge(f"event/{place}", usage, model=model, draft=said)


def _tool(event: Object, time: Time | None, texts: _Texts, recording: Recording) -> None:
    name = first_text(event, "function") or "unknown"
    draft = recording.call(name, texts.arguments(event.get("arguments")), time=time)
    error = obj(event.get("error"))
    _gave(draft, texts.of(event.get("result")), error, times.iso(event.get("completed")), recording)


def _gave(draft: Draft | None, said: str, error: Object, ended: Time | None, recording: Recording) -> None:
    status: Status = "error" if error else "unknown"
    if not error and draft is not None and draft.acts[0].operation not in ("run", "test"):
        status = "ok"
    recording.answer(draft, said or first_text(error, "message") or "", status=status, time=ended)


def _messages(messages: list[Object], texts: _Texts, recording: Recording) -> None:
    """The sample by its messages alone."""
    for place, message in enumerate(messages, 1):
        said = texts.of(message.get("content"))
        match message.get("role"):
            case "assistant":
                recording.message("agent", said, model=text(message.get("model")))
                for call in objects(message.get("tool_calls")):
                    given = texts.arguments(call.get("arguments"))
                    recording.call(first_text(call, "function") or "unknown", given, key=text(call.get("id")))
            case "tool":
                draft = recording.open.get(text(message.get("tool_call_id")) or "")
                if draft is None:
                    recording.unmatched(f"message {place}")
                else:
                    _gave(draft, said, obj(message.get("error")), None, recording)
            case "user":
                recording.message("user", said)
            case _:
                recording.ignored += 1
