"""Distributions of scores: one row a name, its scores counted in twenty bins, the median as a stroke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bouts.render import numbers
from bouts.render.pictures import frame
from bouts.render.pictures.frame import Drawn, label, ticks
from bouts.render.pictures.scale import Scale
from bouts.render.pictures.svg import Piece, joined, number, tag
from bouts.render.pictures.theme import Theme

BINS = 20
"""Bins of five points each; the last one holds 100 as well."""
_ROOM, _ROW = 760.0, 46.0
_NAMES, _SAID = 220.0, 150.0
_TALLEST = 34.0


@dataclass(frozen=True)
class Scores:
    """One row: scores from 0 to 100."""

    name: str
    scores: tuple[float, ...]


@dataclass(frozen=True)
class DistributionPlot:
    """Rows in the order given. The heights of a row are shares of its own scores."""

    title: str
    subtitle: str
    rows: tuple[Scores, ...]
    x_label: str = "score"
    notes: tuple[str, ...] = ()


def bins(scores: Sequence[float]) -> tuple[int, ...]:
    """How many of the scores fall into each bin."""
    counts = [0] * BINS
    for score in scores:
        counts[min(BINS - 1, max(0, int(score * BINS // 100)))] += 1
    return tuple(counts)


def middle(scores: Sequence[float]) -> float | None:
    """The median; `None` of nothing."""
    return median(scores) if scores else None


def draw(plot: DistributionPlot, mode: Theme = "auto") -> str:
    """The picture."""
    x = Scale(0, 100, _NAMES + 16, _ROOM - _SAID - 16)
    bottom = _ROW * max(1, len(plot.rows)) + 6
    made = ticks(x, bottom, 5)
    made.append(label(plot.x_label, (x.start + x.end) / 2, bottom + 34, anchor="middle", look="soft", size=frame.SMALL))
    for at, row in enumerate(plot.rows):
        made += _row(row, x, _ROW * (at + 1) - 4)
    words = "\n".join(f"{row.name}: {said(row.scores)}" for row in plot.rows) or "Nothing to show."
    notes = ("Stroke: median. A bar is as high as its share of the row's scores, the highest bar of a row being full.",)
    return frame.document(
        Drawn(joined(*made), _ROOM, bottom + 42, words, (*notes, *plot.notes)), plot.title, plot.subtitle, mode
    )


def said(scores: Sequence[float]) -> str:
    """`24 scores, median 71.5`."""
    if not scores:
        return "no score"
    return f"{len(scores)} score{'s' if len(scores) > 1 else ''}, median {numbers.score(middle(scores))}"


def _row(row: Scores, x: Scale, base: float) -> list[Piece]:
    counts = bins(row.scores)
    tallest = max(counts) or 1
    part = (x.end - x.start) / BINS
    made = [
        label(row.name, 0, base - 10, room=_NAMES),
        label(said(row.scores), _ROOM - _SAID, base - 10, look="soft", size=frame.SMALL, room=_SAID),
        tag("path", class_="axis", d=f"M{number(x.start)} {number(base)} L{number(x.end)} {number(base)}"),
    ]
    for at, count in enumerate(counts):
        if count:
            height = max(1.5, _TALLEST * count / tallest)
            hint = tag("title", f"{5 * at} to {5 * at + 5}: {count}")
            made.append(
                tag(
                    "rect",
                    hint,
                    class_="box",
                    x=x.start + part * at + 1,
                    y=base - height,
                    width=part - 2,
                    height=height,
                )
            )
    half = middle(row.scores)
    if half is not None:
        at = number(x.at(half))
        made.append(
            tag(
                "path", class_="s1", d=f"M{at} {number(base - _TALLEST - 3)} L{at} {number(base + 3)}", stroke_width=2.5
            )
        )
    return made
