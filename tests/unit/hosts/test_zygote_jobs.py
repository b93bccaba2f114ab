from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bouts.errors import HostFault
from bouts.hosts.line import MAX_MESSAGE, Line, LineClosed
from bouts.hosts.zygote import Zygote

HERE = Path(__file__).parent
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def alive(process: int) -> bool:
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in "ZX"


def ends(process: int) -> bool:
    for _ in range(400):
        if not alive(process):
            return True
        time.sleep(0.025)
    return False


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(HERE)
    made = Zygote("json")
    yield made
    made.close()
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


def run(zygote: Zygote, name: str, payload: dict | None = None) -> dict:
    job = zygote.start(f"host_jobs:{name}", payload or {})
    try:
        answer = job.receive(30)
    finally:
        job.close()
    assert answer is not None
    return answer


def test_each_job_has_a_process_of_its_own(zygote: Zygote) -> None:
    first, second = run(zygote, "echo", {"a": "ü\u202e"}), run(zygote, "echo")
    assert first["result"]["got"] == {"a": "ü\u202e"}
    assert len({first["result"]["pid"], second["result"]["pid"], os.getpid()}) == 3


def test_messages_go_both_ways(zygote: Zygote) -> None:
    job = zygote.start("host_jobs:talk", {})
    assert [job.receive(10) for _ in range(3)] == [{"number": n} for n in range(3)]
    assert job.receive(0.05) is None
    job.send({"word": "go"})
    assert job.receive(10) == {"result": {"heard": {"word": "go"}}}
    job.close()


@pytest.mark.parametrize(
    ("name", "said"), [("raises", "ValueError: no good"), ("leaves", "SystemExit"), ("nothing", "AttributeError")]
)
def test_an_exception_is_told(zygote: Zygote, name: str, said: str) -> None:
    assert said in run(zygote, name)["error"]


def test_a_child_that_dies_is_a_fault_and_stops_no_other(zygote: Zygote) -> None:
    job = zygote.start("host_jobs:dies", {})
    with pytest.raises(HostFault, match="without an answer"):
        job.receive(30)
    job.kill()
    job.kill()
    assert "result" in run(zygote, "echo")


def test_large_messages_arrive_whole(zygote: Zygote) -> None:
    assert len(run(zygote, "large", {"size": 5 << 20})["result"]["text"]) == 5 << 20
    assert len(run(zygote, "echo", {"text": "x" * (3 << 20)})["result"]["got"]["text"]) == 3 << 20


def test_one_beyond_the_limit_is_a_fault(zygote: Zygote) -> None:
    job = zygote.start("host_jobs:large", {"size": MAX_MESSAGE})
    with pytest.raises(HostFault):
        job.receive(60)
    job.kill()


def test_killing_a_job_ends_what_it_started(zygote: Zygote) -> None:
    job = zygote.start("host_jobs:sleeps", {})
    told = job.receive(30)
    assert told is not None
    job.kill()
    assert ends(told["pid"])
    assert ends(told["below"])


def test_a_zygote_that_died_is_replaced(zygote: Zygote) -> None:
    process = zygote._process  # pyright: ignore[reportPrivateUsage]
    assert process is not None
    process.kill()
    process.wait()
    assert "result" in run(zygote, "echo")


def test_one_that_was_closed_starts_nothing_more() -> None:
    closed = Zygote()
    closed.start("json:loads", {}).kill()
    closed.close()
    with pytest.raises(HostFault, match="being ended"):
        closed.start("json:loads", {})


def test_many_threads_may_use_one(zygote: Zygote) -> None:
    seen: list[int] = []
    threads = [
        threading.Thread(target=lambda n=n: seen.append(run(zygote, "echo", {"n": n})["result"]["got"]["n"]))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(8))


def test_when_the_main_process_is_killed_all_end() -> None:
    code = (
        "import sys, time\nfrom bouts.hosts.zygote import Zygote\n"
        "z = Zygote()\njob = z.start('host_jobs:sleeps', {})\ntold = job.receive(30)\n"
        "print(z._process.pid, told['pid'], told['below'], flush=True)\ntime.sleep(600)\n"
    )
    main = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(HERE)}
    )
    assert main.stdout is not None
    below = [int(word) for word in main.stdout.readline().split()]
    assert len(below) == 3
    assert all(alive(process) for process in below)
    main.send_signal(signal.SIGKILL)
    main.wait()
    main.stdout.close()
    assert [process for process in below if not ends(process)] == []


def test_nothing_is_imported_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder may be the very submission."""
    (tmp_path / "json.py").write_text("raise SystemExit('taken over')\n", encoding="utf-8")
    (tmp_path / "host_jobs.py").write_text("def echo(payload, line): return {'got': 'forged'}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    apart = Zygote()
    try:
        assert run(apart, "echo", {"a": 1})["result"]["got"] == {"a": 1}
    finally:
        apart.close()


@given(st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=3), max_size=5), st.integers(1, 50))
def test_messages_survive_any_cutting(messages: list[dict], size: int) -> None:
    left, right = socket.socketpair()
    whole = socket.socketpair()
    sender, receiver = Line(left), Line(whole[1])
    for message in messages:
        sender.send(message)
    left.close()
    data = b""
    while piece := right.recv(1 << 16):
        data += piece
    for start in range(0, len(data), size):
        whole[0].sendall(data[start : start + size])
    assert [receiver.receive(1) for _ in messages] == messages
    assert receiver.receive(0) is None
    whole[0].close()
    with pytest.raises(LineClosed):
        receiver.receive(1)
    receiver.close()
    right.close()
