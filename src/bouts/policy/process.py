"""The numbers of the process judge."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bouts.model.base import Fact
from bouts.policy.parts import Anchors, Count, Score, Share

Target = Annotated[float, Field(gt=0, le=1)]


class ProcessWeights(Fact):
    """Shares of the process score."""

    tool_use: Share
    """Share of tool use."""
    error_recovery: Share
    """Share of error recovery."""
    trajectory: Share
    """Share of the trajectory of test runs."""
    efficiency: Share
    """Share of efficiency."""
    scope: Share
    """Share of scope."""


class ToolUseTargets(Fact):
    """Ratios (0–1) from which a habit of tool use gets 100; below, in proportion."""

    read_before_edit: Target
    """Edited files that were read before their first edit, of all edited files that the session did not create."""
    test_after_edit: Target
    """Edits followed by a test run before the next edit of the same file or the end, of all edits."""
    search_before_create: Target
    """New files that a search preceded, of all new files."""
    errors_followed_up: Target
    """Error outputs followed by a read of, or an edit in, a file that they name, or by a re-run, of all error outputs
    whose text the transcript holds."""


class ErrorRecoveryNumbers(Fact):
    """Deductions and rewards of error recovery, in score points (0–100 scale)."""

    start: Score
    """Score before deductions."""
    thrash_edits: Count
    """Edits of one file with no test run between from which it is thrashing."""
    thrash: Score
    """Deduction for each case of thrashing."""
    repeat_runs: Count
    """Consecutive runs in which the same test fails from which it is a repeated failure."""
    repeated_failure: Score
    """Deduction for each repeated failure, and again for each further run."""
    ignored_error: Score
    """Deduction for each error after which the next action is an edit of a file that the error does not name."""
    targeted_lines: Count
    """Lines up to which an edit right after an error is a targeted one."""
    targeted_recovery: Score
    """Reward for each targeted edit after which the next run has fewer failures."""


class TrajectoryNumbers(Fact):
    """Numbers of the trajectory of test runs, in score points (0–100 scale) unless a unit is named."""

    start: Score
    """Score before rewards and deductions."""
    early_pass_rate: Share
    """Pass rate (0–1) that counts as converged."""
    early_session_share: Share
    """Share (0–1) of the session's time within which converging is early."""
    early: Score
    """Reward for converging early."""
    strict_progress: Score
    """Reward where every run after the first passes more than the one before, or the first run passes all."""
    steady_progress: Score
    """Reward where the count never falls and no stagnation was deducted."""
    fall: Score
    """Deduction for each fall between consecutive runs."""
    stagnation_runs: Count
    """Runs in a row with the same result that are not yet stagnation."""
    stagnation: Score
    """Deduction for each run beyond that."""


class EfficiencyNumbers(Fact):
    """Numbers of efficiency."""

    calls_per_test: Anchors
    """Tool calls for each test gained between the first and the last run."""


class ScopeNumbers(Fact):
    """Deductions of scope, in score points (0–100 scale)."""

    start: Score
    """Score before deductions."""
    file_outside: Score
    """Deduction for each file changed outside the challenge's declared scope."""
    dependency: Score
    """Deduction for each dependency added that the challenge does not ask for."""
    lines_per_point: Count
    """Lines changed in files whose tests already all passed that cost one point together."""


class ProcessTable(Fact):
    """The process judge."""

    weights: ProcessWeights
    """Shares of the five dimensions."""
    tool_use: ToolUseTargets
    """Targets of tool use."""
    error_recovery: ErrorRecoveryNumbers
    """Numbers of error recovery."""
    trajectory: TrajectoryNumbers
    """Numbers of the trajectory."""
    efficiency: EfficiencyNumbers
    """Numbers of efficiency."""
    scope: ScopeNumbers
    """Numbers of scope."""
