"""The codec's dates, times and zones. Imported for its effect on the tables of `plain`."""

# Values of any type are what this module is about; names that begin with _bouts are shared within this folder.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownLambdaType=false, reportUnknownParameterType=false, reportPrivateUsage=false

from __future__ import annotations

from .plain import (
    LIBRARY_DECODERS,
    LIBRARY_ENCODERS,
    MAX_NAME,
    CannotCross,
    Malformed,
    decode,
    encode,
    library_encoder,
    row,
    text,
    wholes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .plain import Other, OtherTag


def _encode_clock(value: Any, other: Other, depth: int) -> Any:
    """The zone of a time. One of a class of the submission's own would be a function that runs over there."""
    zone = value.tzinfo
    kind = type(zone)
    if zone is not None and library_encoder(kind) not in (_encode_timezone, _encode_zone):
        raise CannotCross(f"a time in a time zone of the type {kind.__qualname__} cannot cross")
    return encode(zone, other, depth)


def _is_zone(key: str) -> bool:
    """Whether a key can only name a file below the time zone folder."""
    parts = key.split("/")
    return len(key) <= 64 and all(
        part.replace("_", "a").replace("-", "a").replace("+", "a").isalnum() for part in parts
    )


def _encode_datetime(value: Any, other: Other, depth: int) -> Any:
    parts = [value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond, value.fold]
    return {"datetime": [*parts, _encode_clock(value, other, depth)]}


def _encode_time(value: Any, other: Other, depth: int) -> Any:
    parts = [value.hour, value.minute, value.second, value.microsecond, value.fold]
    return {"time": [*parts, _encode_clock(value, other, depth)]}


def _encode_timezone(value: Any, other: Other, depth: int) -> Any:
    arguments = value.__getinitargs__()
    offset = arguments[0]
    name = arguments[1] if len(arguments) > 1 else None
    if name is not None and len(name) > MAX_NAME:
        raise CannotCross(f"a time zone with a name of more than {MAX_NAME} characters cannot cross")
    return {"timezone": [offset.days, offset.seconds, offset.microseconds, name]}


def _encode_zone(value: Any, other: Other, depth: int) -> Any:
    if value.key is None or not _is_zone(value.key):
        raise CannotCross("a ZoneInfo without a key that names a time zone cannot cross")
    return {"zone": value.key}


def _zone(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import tzinfo

    zone = decode(data, other, depth)
    if zone is not None and not isinstance(zone, tzinfo):
        raise Malformed("time zone expected")
    return zone


def _decode_datetime(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import datetime

    *parts, zone = row(data, 9)
    *numbers, fold = wholes(parts, 8)
    return datetime(*numbers, tzinfo=_zone(zone, other, depth), fold=fold)  # pyright: ignore[reportArgumentType]


def _decode_time(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import time

    *parts, zone = row(data, 6)
    *numbers, fold = wholes(parts, 5)
    return time(*numbers, tzinfo=_zone(zone, other, depth), fold=fold)  # pyright: ignore[reportArgumentType]


def _decode_date(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import date

    return date(*wholes(data, 3))


def _decode_timedelta(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import timedelta

    return timedelta(*wholes(data, 3))


def _decode_timezone(data: Any, other: OtherTag, depth: int) -> Any:
    from datetime import timedelta, timezone

    *parts, name = row(data, 4)
    offset = timedelta(*wholes(parts, 3))
    return timezone(offset) if name is None else timezone(offset, text(name, MAX_NAME))


def _decode_zone(data: Any, other: OtherTag, depth: int) -> Any:
    from zoneinfo import ZoneInfo

    key = text(data, 64)
    # The key names a file, whatever the library checks.
    if not _is_zone(key):
        raise Malformed("time zone key expected")
    return ZoneInfo(key)


LIBRARY_ENCODERS.update(
    {
        "datetime": ("datetime", _encode_datetime),
        "date": ("datetime", lambda value, other, depth: {"date": [value.year, value.month, value.day]}),
        "time": ("datetime", _encode_time),
        "timedelta": (
            "datetime",
            lambda value, other, depth: {"timedelta": [value.days, value.seconds, value.microseconds]},
        ),
        "timezone": ("datetime", _encode_timezone),
        "ZoneInfo": ("zoneinfo", _encode_zone),
    }
)
LIBRARY_DECODERS.update(
    {
        "datetime": _decode_datetime,
        "date": _decode_date,
        "time": _decode_time,
        "timedelta": _decode_timedelta,
        "timezone": _decode_timezone,
        "zone": _decode_zone,
    }
)
