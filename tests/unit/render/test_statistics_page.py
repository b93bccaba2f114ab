"""The page on statistics: every number of the table, and examples that follow it."""

from __future__ import annotations

from bouts.policy.fields import fields
from bouts.policy.statistics_1 import STATISTICS_1
from bouts.render.methodology.statistics import page
from bouts.render.policy import text


def test_every_number_is_on_the_page():
    shown = page()
    for row in fields(STATISTICS_1):
        assert text(row.value) in shown, row.path


def test_another_number_in_the_table_is_another_page():
    wider = STATISTICS_1.intervals.model_copy(update={"level": 0.9})
    changed = page(STATISTICS_1.model_copy(update={"intervals": wider}))
    assert "confidence of 95 %." in page().partition("## Comparison")[0]
    assert "confidence of 90 %." in changed
    assert "give 0.699 … 0.9721 by Wilson's formula" in page()
    assert "give 0.699 … 0.9721 by Wilson's formula" not in changed


def test_examples_are_right():
    shown = page()
    # Six of seven in one direction and one level: 2·(1 + ½)/128 of the patterns.
    assert "difference 0.8571, p = 0.0234" in shown
    assert "0.012, 0.2, 0.015 become 0.036, 0.2, 0.036" in shown
