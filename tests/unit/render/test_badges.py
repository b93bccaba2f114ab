from __future__ import annotations

import xml.etree.ElementTree as ET

import plots
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.render import badge as badges
from bouts.render.badge import FADED, FAIR, GOOD, PLAIN, POOR, badge, draw, endpoint, graded


def test_a_figure_by_its_grade() -> None:
    made = badge("headline", "83.60", graded(83.6), about="Agent 7")
    assert endpoint(made) == {
        "schemaVersion": 1,
        "label": "headline",
        "message": "83.60",
        "color": GOOD[1:],
        "cacheSeconds": 3600,
    }
    assert [graded(value) for value in (75, 74.9, 50, 49.9)] == [GOOD, FAIR, FAIR, POOR]
    root = ET.fromstring(draw(made))
    assert root.get("aria-label") == "Agent 7: headline 83.60"
    assert [e.text for e in root if e.tag.endswith("text")] == ["headline", "83.60"]


def test_what_makes_a_figure_count_less_is_said_and_takes_the_colour_away() -> None:
    made = badge("rank", "1–3 of 30", PLAIN, ("provisional", "stale since 2026-05-01"))
    assert made.message == "1–3 of 30 · provisional, stale since 2026-05-01"
    assert made.colour == FADED


def test_no_figure_is_said_too() -> None:
    made = badge("pass^3", None, GOOD, ("stale",))
    assert (made.message, made.colour) == ("none yet", FADED)


@given(st.text(max_size=80))
def test_names_of_strangers_are_text(name: str) -> None:
    text = draw(badge(name, "1", GOOD, about=name))
    tags = [e.tag.rpartition("}")[2] for e in ET.fromstring(text).iter()]
    assert tags == ["svg", "title", "rect", "path", "text", "text"]


def test_nothing_steers() -> None:
    made = badge("headline", "1", GOOD, about=plots.HOSTILE)
    assert "\x1b" not in made.whole
    assert "<script" not in draw(made)


@pytest.mark.parametrize("colour", [GOOD, FAIR, POOR, PLAIN, FADED, badges._LABEL])
def test_white_text_can_be_read_on_every_colour(colour: str) -> None:
    from test_pictures import contrast

    assert contrast("#ffffff", colour) >= 4.5
