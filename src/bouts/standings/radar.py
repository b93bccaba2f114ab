"""The fitness radar: five diagnostic axes over an agent's latest runs. Nothing here moves the composite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from bouts.errors import BadUsage
from bouts.model.base import Fact
from bouts.model.run import Run
from bouts.policy.headline import RadarTable
from bouts.policy.parts import Anchors
from bouts.scoring import interpolate
from bouts.scoring.exact import HUNDRED, ZERO, exact, mean, show, stored
from bouts.standings.cohort import by_task, completed, median, outcome

AXES = {
    "correctness": "Correctness",
    "latency": "Latency",
    "cost": "Cost",
    "tool_efficiency": "Tool efficiency",
    "robustness": "Robustness",
}


class Axis(Fact):
    """One axis of the radar."""

    key: str
    label: str
    value: float | None
    """0–100; `null` where the runs do not show it."""
    raw: float | None
    """The measured value that the axis rests on, such as the median latency, shown even where the axis is `null`."""
    unit: str
    weight: float | None
    """Share of the profile after the shares of `null` axes were given to the others."""
    because: str


class Radar(Fact):
    """The five axes and the viewer's mean over them."""

    runs: int
    """Runs looked at: the latest that completed, failed or ran out of time."""
    axes: tuple[Axis, ...]
    profile: float | None
    """Mean of the axes by the viewer's weights, 0–100; for this view alone."""


def radar(runs: Iterable[Run], table: RadarTable, weights: Mapping[str, float] | None = None) -> Radar:
    """The radar of one agent's runs. `weights` are the viewer's, by axis; an axis that is not named gets none.

    Raises `BadUsage` for an unknown axis, or weights that are negative or all 0.
    """
    shares = _shares(table, weights)
    latest = _latest(completed(runs), table.runs)
    axes = [
        _correctness(latest),
        _scaled("latency", [run.latency_ms for run in latest], table.latency, "ms", table.latency_runs),
        _scaled("cost", [run.cost_usd for run in latest], table.cost, "US dollars", 1),
        _scaled("tool_efficiency", [run.steps for run in latest], table.steps, "steps", 1),
        _robustness(latest, table),
    ]
    live = sum((shares[axis.key] for axis, value in axes if value is not None), ZERO)
    total = sum((shares[axis.key] * value for axis, value in axes if value is not None), ZERO)
    placed = [
        axis.model_copy(update={"weight": stored(shares[axis.key] / live) if value is not None and live else None})
        for axis, value in axes
    ]
    return Radar(runs=len(latest), axes=tuple(placed), profile=stored(total / live) if live else None)


def _shares(table: RadarTable, weights: Mapping[str, float] | None) -> dict[str, Fraction]:
    given: Mapping[str, float] = table.weights.model_dump() if weights is None else weights
    unknown = sorted(set(given) - set(AXES))
    if unknown:
        raise BadUsage(f"the radar has no axis {unknown[0]!r}", hint=f"axes: {', '.join(AXES)}")
    bad = next((key for key, share in given.items() if not 0 <= share < float("inf")), None)
    if bad is not None:
        raise BadUsage(f"the weight of {bad} is {given[bad]:g}", hint="a weight is a number from 0 on")
    shares = {key: exact(given.get(key, 0)) for key in AXES}
    if not any(shares.values()):
        raise BadUsage("every weight of the radar is 0", hint="give at least one axis a weight")
    return shares


def _latest(runs: Sequence[Run], number: int) -> list[Run]:
    # Runs that ended at the same moment keep the order in which they were given.
    return sorted(runs, key=lambda run: run.ended)[-number:]


_Placed = tuple[Axis, Fraction | None]


def _axis(key: str, value: Fraction | None, raw: Fraction | None, unit: str, because: str) -> _Placed:
    axis = Axis(
        key=key,
        label=AXES[key],
        value=None if value is None else stored(value),
        raw=None if raw is None else stored(raw),
        unit=unit,
        weight=None,
        because=because,
    )
    return axis, value


def _correctness(runs: Sequence[Run]) -> _Placed:
    known = [ok for run in runs if (ok := outcome(run)) is not None]
    if not known:
        return _axis("correctness", None, None, "%", "No outcome is known.")
    share = HUNDRED * sum(known) / len(known)
    return _axis("correctness", share, share, "%", f"{sum(known)} of {len(known)} known outcomes passed.")


def _scaled(key: str, values: Sequence[float | None], scale: Anchors, unit: str, needed: int) -> _Placed:
    known = [exact(value) for value in values if value is not None]
    middle = median(known)
    if middle is None:
        return _axis(key, None, None, unit, f"No run says its {scale.unit}.")
    said = f"Median of {len(known)} runs: {show(middle, 0 if unit == 'ms' else 4)} {unit}."
    if len(known) < needed:
        return _axis(key, None, middle, unit, f"{said} Fewer than {needed} runs are no evidence.")
    return _axis(key, interpolate.score(scale, middle), middle, unit, said)


def _robustness(runs: Sequence[Run], table: RadarTable) -> _Placed:
    tasks = [rows for rows in by_task(runs).values() if len(rows) >= table.robustness_outcomes]
    value = mean(HUNDRED * abs(2 * Fraction(sum(rows), len(rows)) - 1) for rows in tasks)
    if value is None:
        return _axis("robustness", None, None, "%", f"No task has {table.robustness_outcomes} known outcomes.")
    return _axis("robustness", value, value, "%", f"Mean over {len(tasks)} tasks; always the same outcome gives 100.")
