"""The files of a small challenge with several kinds of task."""

from __future__ import annotations

MANIFEST = """\
schema: bouts.challenge/1
id: several-tasks
version: 1.0.0
title: Several tasks
summary: Several small functions.
format: sprint
tier: 0
language: python
profile:
  {reasoning_depth: 1, tool_dependence: 1, ambiguity: 1, deception: 1, time_pressure: 1, error_recovery: 1,
   non_local: 1, strictness: 2}
budget: {minutes: 15}
editable: ["work.py"]
environment: {lock: null}
interface:
  calls: {modules: [work]}
suites:
  static: {boundary: calls}
  adversarial: {boundary: calls}
limits: {test_seconds: 5, suite_seconds: 120, memory_mb: 256}
rubric:
  behaviours: {all: Everything works.}
  static: [{match: "*", category: functionality, behaviour: all}]
  adversarial: [{match: "*", severity: high, cwe: CWE-682, pattern: value-swap, validates: [all]}]
"""
REFERENCE = """\
import math
import re

LABELS = {"open": "Offen", "closed": "Geschlossen", "held": "Angehalten"}


def label(state):
    return LABELS.get(state, "unbekannt")


def fact(n):
    return math.prod(range(1, n + 1))


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def tax(amount, rate):
    return amount * rate / 100


class Purse:
    def __init__(self, owner):
        self.owner = owner
        self.coins = []

    def put(self, coin):
        if coin < 1:
            raise ValueError("no coin")
        self.coins.append(coin)
        return self

    def total(self):
        return sum(self.coins)


async def greet(name):
    return f"Hello, {name}!"
"""
STUBS = """\
def label(state):
    raise NotImplementedError


def fact(n):
    raise NotImplementedError


def slug(text):
    raise NotImplementedError


def tax(amount, rate):
    raise NotImplementedError


class Purse:
    def __init__(self, owner):
        raise NotImplementedError


async def greet(name):
    raise NotImplementedError
"""
VISIBLE = """\
import asyncio
import unittest

import pytest
import work


def test_label():
    assert work.label("open") == "Offen"


def test_fact():
    assert work.fact(5) == 120


@pytest.mark.parametrize(("text", "expected"), [("Hello World", "hello-world"), ("A  B", "a-b")])
def test_slug(text, expected):
    assert work.slug(text) == expected


def test_tax():
    assert work.tax(250, 19) == pytest.approx(47.5)


@pytest.fixture
def purse():
    return work.Purse("Thorvald")


def test_purse(purse):
    purse.put(12).put(30)
    assert purse.total() == 42 and purse.owner == "Thorvald"
    with pytest.raises(ValueError, match="no coin"):
        purse.put(-12)


class TestGreeting(unittest.TestCase):
    def test_greet(self):
        self.assertEqual(asyncio.run(work.greet("Ingeborg")), "Hello, Ingeborg!")
"""
