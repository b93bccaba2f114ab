"""From what single requests did to the figures of a load report. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from bouts.model.evidence import MetricFacts, MetricName

FAILED_SHARE_TOLD = 0.01
"""Share of failed requests above which the report's `problem` says so."""

FAILED_SECONDS = 10.0
"""What a failed request counts as in the percentile: a service must not look fast because it refuses."""

_MEANING: dict[MetricName, str] = {
    "p95_ms": "95th percentile of the response time (nearest rank, in ms); a request that ran into the time limit"
    " counts with that limit, one that failed otherwise with 10 s",
    "throughput_rps": "answers with the expected status per second of the window, which lasts until the last answer",
    "memory_mb": "peak memory of the whole process tree in MiB",
}


@dataclass(frozen=True)
class Measurement:
    """One repeat: a service started anew and put under load."""

    latencies: tuple[float, ...]
    """Seconds of each request that was answered as expected or ran into its time limit."""
    answered: int
    """Requests that were answered as expected."""
    failures: dict[str, int] = field(default_factory=dict[str, int])
    """Number of failed requests by what went wrong."""
    seconds: float = 0.0
    """Length of the window: from the first request to its planned end or, if that is later, the last answer."""
    memory_bytes: int | None = None
    memory_level: str = "none"
    problem: str = ""
    """Why nothing was measured: never ready, a setup request that failed."""

    @property
    def failed(self) -> int:
        """Requests that failed."""
        return sum(self.failures.values())


def nearest_rank(values: Sequence[float], percent: int) -> float:
    """The percentile by nearest rank: the smallest value with at least `percent` % of all values at or below it.

    Raises `ValueError` for no values or a percentage outside 1–100.
    """
    if not values or not 1 <= percent <= 100:
        raise ValueError("a percentile needs values and a percentage from 1 to 100")
    return sorted(values)[-(-percent * len(values) // 100) - 1]


def figure(metric: MetricName, one: Measurement) -> float | None:
    """One metric of one repeat, or `None` where it could not be measured. A repeat in which nothing was answered counts
    as one in which every request failed; its memory says nothing."""
    nothing = bool(one.problem) or one.answered == 0
    if metric == "p95_ms":
        failed = max(0, one.answered + one.failed - len(one.latencies))
        return (
            FAILED_SECONDS * 1000 if nothing else nearest_rank((*one.latencies, *[FAILED_SECONDS] * failed), 95) * 1000
        )
    if metric == "throughput_rps" and nothing:
        return 0.0
    if nothing:
        return None
    if metric == "throughput_rps":
        return one.answered / one.seconds if one.seconds > 0 else None
    return None if one.memory_bytes is None else one.memory_bytes / (1 << 20)


def metric_facts(metric: MetricName, repeats: Sequence[Measurement]) -> MetricFacts | None:
    """The metric over all repeats that gave a value, or `None` where none did."""
    values = tuple(value for one in repeats if (value := figure(metric, one)) is not None and math.isfinite(value))
    if not values or not any(one.answered and not one.problem for one in repeats):
        return None
    detail = f"{_MEANING[metric]}; median of {len(values)}"
    if metric == "memory_mb":
        partial = any(one.memory_level != "complete" for one in repeats if one.memory_bytes is not None)
        detail += "; each process was measured alone, not the tree" if partial else "; measured by the kernel"
    return MetricFacts(
        metric=metric, value=median(values), values=values, low=min(values), high=max(values), detail=detail
    )


def problem_text(metrics: Sequence[MetricName], repeats: Sequence[Measurement]) -> str:
    """What kept the load client from measuring everything; empty where nothing did."""
    parts = [
        f"{times(count)}: {text}" for text, count in Counter(one.problem for one in repeats if one.problem).items()
    ]
    loaded = [one for one in repeats if not one.problem]
    failed = sum(one.failed for one in loaded)
    sent = failed + sum(one.answered for one in loaded)
    if sent and failed / sent > FAILED_SHARE_TOLD:
        kinds = sum((Counter(one.failures) for one in loaded), Counter[str]())
        worst = ", ".join(f"{text} ({count})" for text, count in kinds.most_common(3))
        parts.append(f"{failed} of {sent} requests failed ({100 * failed / sent:.1f} %): {worst}")
    missing = [metric for metric in metrics if metric_facts(metric, repeats) is None]
    if missing:
        parts.append(f"not measured: {', '.join(missing)}")
    return "; ".join(parts)


def times(count: int) -> str:
    """`once`, `2 times`."""
    return "once" if count == 1 else f"{count} times"
