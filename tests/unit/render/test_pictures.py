from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import plots
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.render.pictures import distribution, forest, frame, lines, measure, radar, theme
from bouts.render.pictures.distribution import BINS, DistributionPlot, Scores, bins
from bouts.render.pictures.forest import ForestPlot, Interval
from bouts.render.pictures.lines import Curve, LinePlot
from bouts.render.pictures.scale import Scale, around, round_step
from bouts.render.pictures.svg import tag

GOLDEN = Path(__file__).parents[2] / "golden" / "pictures"
SVG = "{http://www.w3.org/2000/svg}"
NAMES = sorted(plots.drawn())


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_drawn_as_before(name: str) -> None:
    """`BLESS=1` writes them anew; look at each one before it is committed."""
    made, path = plots.drawn()[name], GOLDEN / f"{name}.svg"
    if os.environ.get("BLESS"):
        path.write_text(made, encoding="utf-8")
    assert made == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("mode", ["light", "dark", "auto"])
@pytest.mark.parametrize("name", NAMES)
def test_pictures_have_title_and_description_and_ask_nobody(name: str, mode: str) -> None:
    root = ET.fromstring(plots.drawn(mode)[name])
    assert root.get("role") == "img"
    named = (root.get("aria-labelledby") or "").split()
    texts = {e.get("id"): e.text for e in root if e.tag in (f"{SVG}title", f"{SVG}desc")}
    assert [bool(texts[key]) for key in named] == [True, True]
    text = plots.drawn(mode)[name]
    assert "href" not in text
    assert "url(" not in text
    assert ("prefers-color-scheme: dark" in text) is (mode == "auto")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_drawn_outside(name: str) -> None:
    root = ET.fromstring(plots.drawn()[name])
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))

    def walk(node: ET.Element, dx: float, dy: float) -> None:
        move = node.get("transform", "").removeprefix("translate(").removesuffix(")").split()
        if move:
            dx, dy = dx + float(move[0]), dy + float(move[1])
        if node.tag == f"{SVG}text":
            x, y, room = float(node.get("x", "0")) + dx, float(node.get("y", "0")) + dy, _room(node)
            left = x - room * {"middle": 0.5, "end": 1.0}.get(node.get("text-anchor", ""), 0.0)
            assert left >= 0, node.text
            assert left + room <= width, node.text
            assert 0 < y < height, node.text
        for key in ("cx", "cy"):
            value = node.get(key)
            if value is not None:
                assert 0 <= float(value) + (dx if key == "cx" else dy) <= (width if key == "cx" else height)
        for child in node:
            walk(child, dx, dy)

    walk(root, 0.0, 0.0)


def _room(node: ET.Element) -> float:
    return measure.width(node.text or "", float(node.get("font-size", "13"))) * (1.05 if node.get("font-weight") else 1)


@given(st.text(max_size=60))
def test_names_of_strangers_are_text_and_nothing_else(name: str) -> None:
    made = [
        radar.draw(plots.radar_plot((1, 2, 3, 4, None), (1, 2, 3, 4, 5), names=(name, name))),
        lines.draw(LinePlot(name, name, name, name, (name,), (Curve(name, (1,), name), Curve(name, (2,))), (name,))),
        forest.draw(ForestPlot(name, name, name, (Interval(name, 1, 0, 2, name),), notes=(name,))),
        distribution.draw(DistributionPlot(name, name, (Scores(name, (1.0,)),), notes=(name,))),
    ]
    for text in made:
        tags = {element.tag.removeprefix(SVG) for element in ET.fromstring(text).iter()}
        assert tags <= {"svg", "title", "desc", "style", "rect", "g", "text", "path", "circle", "polygon"}


def test_what_steers_or_hides_is_written_out() -> None:
    text = forest.draw(ForestPlot(plots.HOSTILE, "", "", (Interval(plots.HOSTILE, 1, 0, 2, plots.HOSTILE),)))
    assert "<script" not in text
    assert not {"\x1b", "\u202e", "\u200b"} & set(text)
    assert "\\x1b[2J\\u202egnp.\\u200b" in text
    assert tag("a", "<&>", b='"<') == '<a b="&quot;&lt;">&lt;&amp;&gt;</a>'


def test_an_axis_without_a_value_stays_open() -> None:
    whole = radar.draw(plots.radar_plot((1, 2, 3, 4, 5)))
    assert "fill-opacity" in whole
    assert "Open at" not in whole
    open_ = radar.draw(plots.radar_plot((50, None, 50, 50, 50)))
    assert "fill-opacity" not in open_
    assert open_.count('class="s0"') == 3
    assert "Open at Latency" in open_
    assert "Latency not measured" in open_


def test_an_interval_beyond_the_scale_ends_in_an_arrow() -> None:
    row = Interval("one", 99, 90, 120, "")
    scale = Scale(0, 100, 0, 100)
    assert forest._bar(90, 100, scale, 10) == "M90 10 L100 10 M90 5 L90 15 M100 5 L100 15"
    assert forest._bar(90, 120, scale, 10).endswith("M94 5 L100 10 L94 15")
    assert forest.draw(ForestPlot("", "", "", (row,), most=100))


def test_steps_without_a_value_break_the_line() -> None:
    made = lines.draw(LinePlot("", "", "", "", tuple("12345"), (Curve("one", (1, 2, None, 4, 5)),)))
    assert made.count('<path class="s0"') == 2
    assert made.count("<circle") == 4


@given(st.lists(st.floats(0, 100), max_size=50))
def test_every_score_is_in_one_bin(scores: list[float]) -> None:
    counts = bins(scores)
    assert len(counts) == BINS
    assert sum(counts) == len(scores)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_scales_hold_all_values_between_round_ends(values: list[float]) -> None:
    low, high = around(values)
    assert low <= min(values) <= max(values) <= high
    scale = Scale(low, high, 0, 100)
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 8
    assert all(low - 1e-6 <= t <= high + 1e-6 for t in ticks)
    assert all(0 <= scale.at(v) <= 100 for v in values)


@pytest.mark.parametrize(("rough", "step"), [(1, 1), (1.1, 2), (2.1, 2.5), (2.6, 5), (6, 10), (0.03, 0.05), (120, 200)])
def test_steps_are_round(rough: float, step: float) -> None:
    assert round_step(rough) == pytest.approx(step)


@given(st.text(max_size=80), st.floats(20, 300))
def test_texts_are_cut_to_their_room(text: str, room: float) -> None:
    cut = measure.fit(text, 13, room)
    assert measure.width(cut, 13) <= room
    assert cut == text or cut.endswith("…")
    assert all(measure.width(line, 13) <= room for line in measure.wrap(text, 13, room))


# How colours look to people: WCAG contrast, and what three kinds of colour blindness leave of a difference.


def _linear(colour: str) -> list[float]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def _light(colour: str) -> float:
    r, g, b = _linear(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB.
BLIND = {
    "none": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def _lab(colour: str, kind: str) -> tuple[float, float, float]:
    seen = [max(0.0, min(1.0, sum(m * c for m, c in zip(row, _linear(colour), strict=True)))) for row in BLIND[kind]]
    xyz = [
        sum(m * c for m, c in zip(row, seen, strict=True)) / white
        for row, white in (
            ([0.4124564, 0.3575761, 0.1804375], 0.95047),
            ([0.2126729, 0.7151522, 0.0721750], 1.0),
            ([0.0193339, 0.1191920, 0.9503041], 1.08883),
        )
    ]
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("palette", [theme.LIGHT, theme.DARK])
def test_colours_stand_out_from_their_background(palette: theme.Palette) -> None:
    assert contrast(palette.ink, palette.paper) >= 7
    assert contrast(palette.soft, palette.paper) >= 4.5
    for colour in (*palette.series, palette.fill):
        assert contrast(colour, palette.paper) >= 3


@pytest.mark.parametrize("kind", BLIND)
@pytest.mark.parametrize("palette", [theme.LIGHT, theme.DARK])
def test_series_differ_for_everybody(palette: theme.Palette, kind: str) -> None:
    for one, other in combinations(palette.series, 2):
        gap = sum((a - b) ** 2 for a, b in zip(_lab(one, kind), _lab(other, kind), strict=True)) ** 0.5
        assert gap >= 25, (one, other)


def test_series_differ_without_colour() -> None:
    assert len(set(theme.DASHES)) == theme.MOST_SERIES == len(theme.LIGHT.series) == len(theme.DARK.series)
    shapes = {re.sub(r' class="[^"]*"', "", frame.mark(at, 0, 0)) for at in range(theme.MOST_SERIES)}
    assert len(shapes) == theme.MOST_SERIES
