"""The tables of what stands beside scores, by name. They are no policies, and scoring reads none of the statistics'."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bouts.policy.beside import Beside
from bouts.policy.beside_1 import BESIDE_1
from bouts.policy.statistics import Statistics
from bouts.policy.statistics_1 import STATISTICS_1

BESIDE_SCORES: Mapping[str, Beside | Statistics] = MappingProxyType({t.name: t for t in (BESIDE_1, STATISTICS_1)})
"""The current version of each."""
