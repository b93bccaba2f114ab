"""Numbers that the measure was calibrated with, on honest and disguised solutions of tuning tasks.

How they were got, and what they give on tasks that took no part, is in `docs/explanation/similarity.md`.
"""

from __future__ import annotations

from typing import Final

ENOUGH: Final = 30.0
"""Weight of shapes from which a submission can be told from others. Smaller ones never reach a similarity of 1."""
MOST_OF_ONE: Final = 4
"""Times that one shape counts in a submission: tables of data must not drown the code."""
EDGE: Final = (0.02, 0.001)
"""Keeps the logit of 0 and of 1 finite."""
SPREAD: Final = 0.5
"""Added to a task's spread, so that a task whose solutions differ alike in all pairs is no hair trigger."""
PART: Final = (0.8, 20.0)
"""What common fingerprints add at the most, and the weight of fingerprints that adds half of it."""
UNEQUAL: Final = (4.0, 1.2)
"""From how many times its weight on a larger submission counts as larger, and what each further e-fold takes off."""
USUAL: Final = (-1.84, 0.96)
"""Logit of the median pair of a task and distance to its 90th percentile, where too little is known of a task."""
USUAL_PAIRS: Final = 20
"""Pairs of the task that count as much as what is usual."""
TAIL: Final = ((-1.5, 1.0), (-0.05, 0.5), (0.62, 0.1), (1.24, 0.01), (2.02, 0.001), (2.8, 0.0001), (4.4, 0.000001))
"""Strength → share of honest pairs of the same task that are at least as strong; the last two are extrapolated."""
SCORE: Final = ((1.0, 0.0), (0.5, 0.3), (0.1, 0.5), (0.01, 0.7), (0.001, 0.85), (0.0001, 0.93), (0.000001, 1.0))
"""That share → similarity, linear in its logarithm."""
