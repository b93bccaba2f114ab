"""The three example trajectories, from transcripts as agents write them to the score."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import facts
import pytest

from bouts.adapters.transcripts.registry import read_transcript
from bouts.scoring.find import find

START = datetime(2026, 2, 3, 10, tzinfo=UTC)
LENGTH = 100
"""Seconds from the first to the last event of a session."""
BANDS = [
    # passed of ten, seconds of the runs, score
    ((3, 5, 5, 8, 9, 10), (5, 12, 19, 26, 60, 90), 80),
    ((3, 7, 4, 8, 6, 10), (5, 12, 19, 26, 60, 90), 50),
    ((3, 3, 3, 3, 10, 10), (5, 20, 35, 60, 80, 95), 35),
]

Run = tuple[int, str, str]
"""Seconds since the start, command, output."""


def pytest_says(passed: int) -> str:
    parts = [*([f"{10 - passed} failed"] if passed < 10 else []), f"{passed} passed"]
    return f"{'.' * passed}{'F' * (10 - passed)}\n{', '.join(parts)} in 0.12s\n"


def unittest_says(passed: int) -> str:
    end = "OK" if passed == 10 else f"FAILED (failures={10 - passed})"
    return f"{'.' * passed}{'F' * (10 - passed)}\n{'-' * 70}\nRan 10 tests in 0.010s\n\n{end}\n"


def jest_says(passed: int) -> str:
    failed = f"{10 - passed} failed, " if passed < 10 else ""
    return f"Test Suites: 1 total\nTests:       {failed}{passed} passed, 10 total\nTime:        1.2 s\n"


def cargo_says(passed: int) -> str:
    end = "ok" if passed == 10 else "FAILED"
    return f"running 10 tests\n\ntest result: {end}. {passed} passed; {10 - passed} failed; 0 ignored; 0 measured\n"


def iso(seconds: float) -> str:
    return (START + timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def claude_code(runs: list[Run], failed: set[int]) -> str:
    rows: list[dict[str, Any]] = [_turn("user", "Mend it.", 0, 0)]
    for n, (at, command, output) in enumerate(runs):
        call = {"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": {"command": command}}
        result = {"type": "tool_result", "tool_use_id": f"t{n}", "content": output, "is_error": n in failed}
        rows += [_turn("assistant", [call], at, 2 * n + 1), _turn("user", [result], at + 1, 2 * n + 2)]
    rows.append(_turn("assistant", [{"type": "text", "text": "Done."}], LENGTH, 99))
    return "".join(json.dumps(row) + "\n" for row in rows)


def _turn(role: str, content: object, at: float, number: int) -> dict[str, Any]:
    message = {"role": role, "content": content, "id": f"m{number}"}
    return {
        "type": role,
        "message": message,
        "uuid": f"u{number}",
        "timestamp": iso(at),
        "sessionId": "s",
        "cwd": "/srv/x",
    }


def codex(runs: list[Run], failed: set[int]) -> str:
    rows: list[tuple[float, str, dict[str, Any]]] = [
        (0, "session_meta", {"id": "s", "cwd": "/srv/x", "cli_version": "0.100.0"}),
        (0, "event_msg", {"type": "user_message", "message": "Mend it."}),
    ]
    for n, (at, command, output) in enumerate(runs):
        arguments = json.dumps({"cmd": command, "workdir": "/srv/x"})
        call = {"type": "function_call", "name": "exec_command", "call_id": f"c{n}", "arguments": arguments}
        told = f"Wall time: 0.5 seconds\nProcess exited with code {int(n in failed)}\nOutput:\n{output}"
        rows += [
            (at, "response_item", call),
            (at + 1, "response_item", {"type": "function_call_output", "call_id": f"c{n}", "output": told}),
        ]
    rows.append((LENGTH, "event_msg", {"type": "agent_message", "message": "Done."}))
    return "".join(json.dumps({"timestamp": iso(at), "type": kind, "payload": body}) + "\n" for at, kind, body in rows)


def mini_swe_agent(runs: list[Run], failed: set[int]) -> str:
    begin = START.timestamp()
    messages: list[dict[str, Any]] = [{"role": "system", "content": "s"}, {"role": "user", "content": "Mend it."}]
    steps = [(0, "ls", "a.py"), *runs, (LENGTH, "ls", "a.py")]
    for n, (at, command, output) in enumerate(steps):
        code = int(n - 1 in failed)
        messages += [
            {
                "role": "assistant",
                "content": f"On.\n\n```mswea_bash_command\n{command}\n```",
                "extra": {"actions": [{"command": command}], "timestamp": begin + at},
            },
            {
                "role": "user",
                "content": f"<returncode>{code}</returncode>\n<output>\n{output}</output>",
                "extra": {"returncode": code, "timestamp": begin + at},
            },
        ]
    return json.dumps(
        {"info": {"mini_version": "2.0.0"}, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
    )


def openhands(runs: list[Run], failed: set[int]) -> str:
    def event(at: float, **body: object) -> dict[str, Any]:
        return {"id": len(rows), "timestamp": iso(at).rstrip("Z"), "message": "", **body}

    rows: list[dict[str, Any]] = []
    rows.append(event(0, source="user", action="message", args={"content": "Mend it."}))
    for n, (at, command, output) in enumerate(runs):
        rows.append(event(at, source="agent", action="run", args={"command": command, "thought": ""}))
        metadata = {"metadata": {"exit_code": int(n in failed)}}
        answer = event(at + 1, source="agent", observation="run", content=output, extras=metadata)
        rows.append({**answer, "cause": rows[-1]["id"]})
    rows.append(event(LENGTH, source="agent", action="finish", args={}))
    return json.dumps(rows)


def native(runs: list[Run], failed: set[int]) -> str:
    rows: list[dict[str, Any]] = [{"timestamp": iso(0), "type": "message", "text": "Mend it."}]
    for n, (at, command, output) in enumerate(runs):
        missing = int(output.split(" failed")[0].split()[-1]) if n in failed else 0
        counts = {"passed": 10 - missing, "failed": missing, "total": 10}
        rows.append({"timestamp": iso(at), "type": "test_run", "suite": command, **counts})
    rows.append({"timestamp": iso(LENGTH), "type": "message", "text": "Done."})
    return json.dumps({"session_id": "s", "events": rows})


FORMATS: dict[str, tuple[Callable[[list[Run], set[int]], str], str, Callable[[int], str]]] = {
    "claude-code": (claude_code, "python -m pytest -q", pytest_says),
    "codex": (codex, "python -m unittest", unittest_says),
    "mini-swe-agent": (mini_swe_agent, "cargo test", cargo_says),
    "openhands": (openhands, "npx jest", jest_says),
    "native": (native, "pytest", pytest_says),
}


@pytest.mark.parametrize(("passed", "seconds", "score"), BANDS)
@pytest.mark.parametrize("name", FORMATS)
def test_the_example_bands(tmp_path: Path, name: str, passed: tuple[int, ...], seconds: tuple[int, ...], score: int):
    write, command, says = FORMATS[name]
    runs = [(at, command, says(count)) for at, count in zip(seconds, passed, strict=True)]
    file = tmp_path / "transcript"
    file.write_text(write(runs, {n for n, count in enumerate(passed) if count < 10}), encoding="utf-8")
    session = read_transcript(file)
    assert session.format == name
    assert [event.passed for event in session.events if event.operation == "test"] == list(passed)
    line = find(facts.card(facts.evidence(session=session)), "process.trajectory")
    assert line.score == score
    tests = [event.sequence for event in session.events if event.operation == "test"]
    assert set(line.evidence) == {f"event:{number}" for number in tests}
