"""Tests of services through the boundary, with real processes and real HTTP."""

import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from bouts.adapters.runners.python.boundary import Crashed
from bouts.adapters.runners.python.http import HttpBoundary, service_starts
from bouts.model.challenge import Interface
from bouts.model.running import Target
from bouts.model.sandbox import Look


def kinds(test):
    return [escape.kind for escape in test.notes.escapes]


def test_a_client_talks_to_the_service_and_nothing_is_noted(http_test):
    with http_test() as (test, service):
        service.start()
        with service.new_client() as client:
            assert client.get("/health").json() == {"ok": True}
            assert client.post("/items", json={"a": 1}).status_code == 201
            assert client.get("/items").json() == [{"a": 1}]
            assert client.get("/nowhere").status_code == 404
    assert (test.notes.escapes, test.notes.crashed, test.notes.fault) == ((), None, None)


def test_files_persist_over_a_restart_and_a_stop_is_graceful(http_test):
    with http_test() as (test, service):
        service.start()
        with service.new_client() as client:
            client.post("/items", json=1)
            service.restart()
            assert client.get("/items").json() == [1]
        assert service.read("goodbye") == b"terminated"
        assert service.read("store.json") == b"[1]"
        assert service.read("nothing") is None
        service.write("store.json", "[2]")
        with service.new_client() as client:
            assert client.get("/items").json() == [2]
        service.stop()
        assert service.output() == "starting\nstarting\n"
    assert test.notes.escapes == ()


def test_a_service_that_ignores_being_asked_is_killed(http_test):
    with http_test("stubborn.py") as (test, service):
        service.restart()
        with service.new_client() as client:
            assert client.get("/").status_code == 200
    assert test.notes.escapes == ()


def test_a_kill_leaves_no_time_for_goodbyes(http_test):
    with http_test() as (_, service):
        service.start()
        service.kill()
        assert service.read("goodbye") is None


def test_a_stopped_service_refuses_and_is_no_crash(http_test):
    with http_test() as (test, service):
        service.start()
        service.stop()
        with service.new_client() as client, pytest.raises(httpx.ConnectError):
            client.get("/health")
        with pytest.raises(OSError):
            service.connect()
    assert test.notes.escapes == ()


def test_two_sandboxes_share_no_files(http_test):
    for _ in range(2):
        with http_test() as (_, service):
            service.start()
            with service.new_client() as client:
                assert client.post("/items", json=1).json() == {"count": 1}


def test_threads_use_one_client_and_many(http_test):
    with http_test() as (_, service):
        service.start()
        shared = service.new_client()
        barrier = threading.Barrier(8)

        def work(number):
            own = service.new_client()
            barrier.wait()
            return [(shared if i % 2 else own).post("/items", json=[number, i]).status_code for i in range(5)]

        with ThreadPoolExecutor(8) as pool:
            answers = [status for statuses in pool.map(work, range(8)) for status in statuses]
        assert answers == [201] * 40
        assert sorted(shared.get("/items").json()) == [[n, i] for n in range(8) for i in range(5)]


def test_raw_sockets_reach_the_service(http_test):
    with http_test() as (_, service):
        service.start()
        with service.connect() as sock:
            sock.sendall(b"GET /health HTTP/1.1\r\n\r\n")
            assert sock.recv(100).startswith(b"HTTP/1.1 200")


def test_any_host_leads_to_the_service_alone(http_test):
    with http_test() as (_, service):
        service.start()
        with service.new_client() as client:
            assert client.get("http://example.org/health").json() == {"ok": True}
            assert client.get("/redirect").status_code == 302
            assert client.get("/redirect", follow_redirects=True).status_code == 404


def test_a_500_is_an_escape_and_a_503_is_none(http_test):
    with http_test() as (test, service):
        service.start()
        with service.new_client() as client:
            assert client.get("/boom?x=1").status_code == 500
            assert client.get("/unavailable").status_code == 503
    assert [(e.test, e.kind, e.detail) for e in test.notes.escapes] == [
        ("a.py::t", "status_500", "GET /boom answered 500")
    ]


@pytest.mark.parametrize(
    ("path", "word"), [("/exit", "exit status 3"), ("/segv", "signal 11"), ("/flood", "wrote more than allowed")]
)
def test_a_service_that_dies_in_a_request_crashes_the_test(http_test, path, word):
    with http_test() as (test, service):
        service.start()
        client = service.new_client()
        with pytest.raises(Crashed, match=word):
            client.get(path)
        with pytest.raises(Crashed, match=word):
            client.get("/health")
        service.start()
        assert client.get("/health").status_code == 200
    assert kinds(test) == ["worker_died"]
    assert word in test.notes.escapes[0].detail


def test_a_service_that_runs_out_of_memory_crashes_the_test(http_test):
    with http_test(memory_mb=64) as (test, service):
        service.start()
        with pytest.raises(Crashed, match="out of memory"):
            service.new_client().get("/eat")
    assert kinds(test) == ["worker_died"]


def test_a_kill_takes_daemons_along(http_test):
    with http_test() as (_, service):
        service.start()
        client = service.new_client()
        pid = client.get("/daemon").json()["pid"]
        assert client.get(f"/alive?{pid}").json() is True
        service.kill()
        service.start()
        assert client.get(f"/alive?{pid}").json() is False


def test_last_words_are_told_and_escaped(http_test):
    with http_test() as (_, service):
        service.start()
        with pytest.raises(Crashed, match=r"last words \\x1b\[31m"):
            service.new_client().get("/exit")


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/garbage", httpx.RemoteProtocolError),
        ("/nothing", httpx.RemoteProtocolError),
        ("/headers", httpx.RemoteProtocolError),
        ("/body", httpx.ReadError),
        ("/bomb", httpx.ReadError),
        ("/nested", httpx.DecodingError),
        ("/charset", httpx.DecodingError),
        ("/half", httpx.RemoteProtocolError),
    ],
)
def test_whatever_a_service_sends_is_at_worst_an_error_of_httpx(http_test, path, error):
    with http_test() as (test, service):
        service.start()
        with service.new_client() as client:
            with pytest.raises(error):
                client.get(path)
            assert client.get("/health").status_code == 200
    assert test.notes.escapes == ()


@pytest.mark.parametrize("path", ["/drip", "/hang", "/informational"])
def test_no_answer_outlasts_the_test(http_test, path):
    with http_test(seconds=1.0) as (_, service):
        service.start()
        with service.new_client() as client, pytest.raises(httpx.TransportError):
            client.get(path)


def test_compressed_answers_are_read(http_test):
    with http_test() as (_, service):
        service.start()
        with service.new_client() as client:
            assert client.get("/gzip").text == "small"


def test_answers_can_be_read_as_they_come(http_test):
    with http_test() as (_, service):
        service.start()
        with service.new_client() as client, client.stream("GET", "/drip") as answer:
            assert next(answer.iter_raw()).strip(b"a") == b""


@pytest.mark.parametrize(("program", "words"), [("never.py", ["it answered 503", r"warming up \x1b[2J"])])
def test_a_service_that_never_gets_ready_fails_the_test_with_the_reason(http_test, program, words):
    with http_test(program, ready_seconds=2.0) as (test, service):
        with pytest.raises(pytest.fail.Exception) as caught:
            service.start()
        assert "not ready within 2 s" in str(caught.value)
        assert [word for word in words if word not in str(caught.value)] == [], str(caught.value)
    assert test.notes.escapes == ()


def test_a_service_that_ends_before_it_is_ready_crashes_the_test(http_test):
    with http_test("broken.py") as (test, service), pytest.raises(Crashed) as caught:
        service.start()
    assert "exit status 1" in str(caught.value)
    assert "no such table: users" in str(caught.value)
    assert kinds(test) == ["worker_died"]


def test_fixtures_work_in_pytest_and_clients_are_closed(target, sandboxes, tmp_path, monkeypatch):
    (tmp_path / "test_inner.py").write_text(
        "def test_it(client, service):\n"
        "    assert client.base_url == service.base_url\n"
        "    assert client.get('/health').json() == {'ok': True}\n"
        "    assert client.get('/boom').status_code == 500\n"
    )
    monkeypatch.chdir(tmp_path)
    boundary = HttpBoundary(target(), Look())
    sandbox = sandboxes.create(boundary.plan())
    boundary.begin("t", sandbox, boundary.prepare(sandbox))
    service = boundary.current()
    clients = []
    new_client = service.new_client
    service.new_client = lambda **options: clients.append(new_client(**options)) or clients[-1]
    arguments = ["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(tmp_path), "test_inner.py"]
    status = pytest.main(arguments, plugins=[boundary.plugin()])
    notes = boundary.end()
    sandbox.destroy()
    assert status == 0
    assert [client.is_closed for client in clients] == [True]
    assert [escape.kind for escape in notes.escapes] == ["status_500"]


def test_a_boundary_without_a_test_gives_nothing(target):
    boundary = HttpBoundary(target(), Look())
    assert boundary.end().escapes == ()
    with pytest.raises(RuntimeError):
        boundary.current()
    with pytest.raises(ValueError, match="http"):
        HttpBoundary(Target(workspace="/", interface=Interface()), Look())


@pytest.mark.parametrize(
    ("program", "ok", "word"),
    [("app.py", True, "/health"), ("broken.py", False, "no such table"), ("never.py", False, "503")],
)
def test_starts_means_that_the_health_path_answers(target, sandboxes, program, ok, word):
    aim = target(program, ready_seconds=1.0)
    report = service_starts(aim, sandboxes, HttpBoundary(aim, Look()).plan())
    assert report.ok is ok
    assert word in report.detail
