"""Tests in classes of `unittest` end as others do; pytest hands their failures on in a way of its own."""

import pytest

from bouts.model.challenge import Boundary

TESTS = """
import unittest
import sol

class TestSol(unittest.TestCase):
    def setUp(self): self.one = sol.f(1)
    def test_passes(self): self.assertEqual(self.one, 1)
    def test_fails(self): self.assertEqual(self.one, 2)
    def test_raises(self): sol.bad()
    def test_skips(self): self.skipTest("not here")
    @unittest.expectedFailure
    def test_expected(self): self.assertEqual(self.one, 1)

class TestBroken(unittest.TestCase):
    def setUp(self): sol.bad()
    def test_never(self): pass

class TestLater(unittest.IsolatedAsyncioTestCase):
    async def test_fails(self): self.assertEqual(sol.f(1), 2)
"""


@pytest.mark.parametrize("boundary", [Boundary.CALLS, Boundary.IN_PROCESS])
def test_failures_in_classes_of_unittest_count(suites, boundary):
    suites.boundary = boundary
    suites.write("def f(x): return x\ndef bad(): raise ValueError('no')\n", TESTS)
    names = ["passes", "fails", "raises", "skips", "expected"]
    report, outcomes = suites.run(
        *(f"TestSol::test_{name}" for name in names), "TestBroken::test_never", "TestLater::test_fails"
    )
    assert outcomes["TestSol::test_passes"] == "passed", [t.message for t in report.tests]
    assert outcomes["TestSol::test_skips"] == "skipped"
    others = set(outcomes) - {"TestSol::test_passes", "TestSol::test_skips"}
    assert len(others) == 5
    assert {outcomes[name] for name in others} <= {"failed", "error"}
