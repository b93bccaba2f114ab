"""The `http` boundary: the submission is a service in the test's sandbox, tests are clients outside it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest

from bouts.adapters.runners.python.boundary import BoundaryNotes, Crashed
from bouts.adapters.runners.python.heard import Heard, listening
from bouts.adapters.runners.python.patient import PatientSocket
from bouts.adapters.runners.python.plan import plan_for
from bouts.adapters.runners.python.service import Service, ServiceFailed, ending, failures_of_files
from bouts.errors import SandboxFault
from bouts.model.running import Escape, StartReport, Target
from bouts.model.sandbox import Ended, Look, SandboxPlan
from bouts.model.text import clean, clean_line
from bouts.ports import Sandbox, Sandboxes

if TYPE_CHECKING:
    import httpx

BASE_URL = "http://service"
_CLIENT_SECONDS = 5.0
_CLIENT_SHARE = 0.8
"""Default time limit of one operation of a client: 5 s, or this share of the test's limit where that is less."""
_START_SHARE = 0.9
"""Share of a test's time that the service may take to get ready, so that the reason can still be told."""
_NOTICE_SECONDS = 0.1
"""How long a lost connection waits to hear that the service died: the one is seen a moment before the other."""
_MAX_ESCAPES = 20


class HttpBoundary:
    """The boundary for services (see `boundary.BoundarySession`)."""

    def __init__(self, target: Target, look: Look, folder: str | None = None) -> None:
        """`folder` is the worker's; without it nobody listens to warnings.

        Raises `ValueError` for a target without an `http` interface.
        """
        if target.interface.http is None:
            raise ValueError("the target has no http interface")
        self._target = target
        self._look = look
        self._folder = folder
        self._interface = target.interface.http
        self._test: ServiceUnderTest | None = None

    def plan(self) -> SandboxPlan:
        """The sandbox that every test gets."""
        plan = plan_for(self._target, self._look)
        return plan if self._folder is None else listening(plan, self._folder)

    def plugin(self) -> object:
        """The fixtures `service` and `client`."""
        return _HttpFixtures(self)

    def prepare(self, sandbox: Sandbox) -> object:
        """Launch the service; that it gets ready is waited for by the test that uses it."""
        # Prepared ahead, the service may wait for tests that take their time; the host ends it with the sandbox.
        heard = None if self._folder is None else Heard()
        service = Service(sandbox, self._interface, self._target.limits.suite_seconds, heard=heard)
        service.launch()
        return service

    def begin(self, test: str, sandbox: Sandbox, ready: object) -> None:
        """A test starts with this service."""
        assert isinstance(ready, Service)
        self._test = ServiceUnderTest(test, ready, self._target.limits.test_seconds)

    def end(self) -> BoundaryNotes:
        """What was seen during the test; its clients are closed."""
        test, self._test = self._test, None
        if test is None:
            return BoundaryNotes()
        try:
            return test.finish()
        except SandboxFault as error:
            return BoundaryNotes(fault=error.message)

    def close(self) -> None:
        """Nothing is left to close."""

    def current(self) -> ServiceUnderTest:
        """What the fixtures give to the test that runs now."""
        if self._test is None:
            raise RuntimeError("the service was asked for outside a test")
        return self._test


class _HttpFixtures:
    def __init__(self, boundary: HttpBoundary) -> None:
        self._boundary = boundary

    @pytest.fixture
    def service(self) -> ServiceUnderTest:
        """The service, ready, in a fresh sandbox."""
        service = self._boundary.current()
        service.start()
        return service

    @pytest.fixture
    def client(self, service: ServiceUnderTest) -> Iterator[httpx.Client]:
        """An `httpx.Client` whose base URL is the service."""
        with service.new_client() as client:
            yield client


class ServiceUnderTest:
    """The fixture `service`. Safe for use by several threads."""

    base_url = BASE_URL
    """What clients name; every URL of theirs leads to the service, whatever host it has."""

    def __init__(self, test: str, service: Service, seconds: float) -> None:
        self._name = test
        self._service = service
        self._seconds = seconds
        self._lock = threading.Lock()
        self._clients: list[httpx.Client] = []
        self._sockets: list[socket.socket] = []
        self._escapes: list[Escape] = []
        self._waited = 0.0

    def new_client(self, *, timeout: float | None = None, headers: dict[str, str] | None = None) -> httpx.Client:
        """Another `httpx.Client` with connections and cookies of its own; redirects are not followed.

        `timeout` bounds each operation, in seconds; the test's limit bounds them all. A body over 8 MiB is an error.
        """
        import httpx

        from bouts.adapters.runners.python.transport import ServiceTransport

        default = min(_CLIENT_SECONDS, _CLIENT_SHARE * self._seconds)
        client = httpx.Client(
            base_url=BASE_URL,
            transport=ServiceTransport(self._service.connect, self._service.waited, self._observe, self._lost),
            timeout=timeout or default,
            headers={"Accept-Encoding": "identity", **(headers or {})},
            follow_redirects=False,
            trust_env=False,
        )
        with self._lock:
            self._clients.append(client)
        return client

    def connect(self, timeout: float | None = None) -> socket.socket:
        """A raw TCP socket to the service, connected; its time limit is that of a client. Raises `OSError`.

        What is said over it is not looked at: a 500 there is noted by nobody.
        """
        seconds = timeout or min(_CLIENT_SECONDS, _CLIENT_SHARE * self._seconds)
        try:
            sock = PatientSocket.of(self._service.connect(seconds), self._service.waited)
        except OSError:
            self._lost()
            raise
        sock.settimeout(seconds)
        with self._lock:
            self._sockets.append(sock)
        return sock

    def start(self) -> None:
        """Start the service if it does not run, and wait until it is healthy."""
        try:
            self._service.start(_START_SHARE * self._seconds)
        except ServiceFailed as error:
            if error.ended is not None:
                raise Crashed(str(error)) from None
            pytest.fail(str(error), pytrace=False)

    def stop(self) -> None:
        """End the service: SIGTERM, and after a second SIGKILL. Its files stay."""
        self._service.stop()

    def kill(self) -> None:
        """End the service at once, as a crash would. Its files stay."""
        self._service.stop(0)

    def restart(self) -> None:
        """`stop` and `start`: the same workspace, so what was written to files is still there."""
        self.stop()
        self.start()

    def read(self, path: str) -> bytes | None:
        """The content of a file of the workspace, or `None` where there is none."""
        with failures_of_files():
            return self._service.read(path)

    def write(self, path: str, data: bytes | str) -> None:
        """Put a file into the workspace."""
        with failures_of_files():
            self._service.write(path, data.encode() if isinstance(data, str) else data)

    def output(self) -> str:
        """What the service wrote to standard output and error, escaped; known once it was stopped or has ended."""
        return self._service.output()

    def finish(self) -> BoundaryNotes:
        """The test is over: close what it left open and say what was seen. Raises `SandboxFault`."""
        for thing in (*self._clients, *self._sockets):
            with suppress(Exception):
                thing.close()
        self._service.ended(0)
        self._service.hear()
        deaths = [self._death(ended) for ended in self._service.died]
        heard = self._service.heard
        return BoundaryNotes(
            escapes=tuple((*deaths, *self._escapes)[:_MAX_ESCAPES]),
            warnings=None if heard is None else heard.warnings(),
        )

    def _death(self, ended: Ended) -> Escape:
        detail = f"the service: {ending(ended)}"
        tail = (ended.stderr or ended.stdout).strip()[-500:].decode("utf-8", "replace")
        return Escape(test=self._name, kind="worker_died", detail=clean(f"{detail}\n{tail}".rstrip(), 1000))

    def _observe(self, method: str, path: str, status: int) -> None:
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            detail = clean_line(f"{method} {path} answered 500", 200)
            with self._lock:
                if len(self._escapes) < _MAX_ESCAPES:
                    self._escapes.append(Escape(test=self._name, kind="status_500", detail=detail))

    def _lost(self) -> None:
        """A connection was lost: raise `Crashed` if the service died."""
        with self._lock:
            # One thread waits; the others, and those that come soon after, rely on what it saw.
            wait, self._waited = time.monotonic() > self._waited + 1, time.monotonic()
        self._service.ended(_NOTICE_SECONDS if wait else 0)
        if self._service.dead:
            raise Crashed(self._death(self._service.died[-1]).detail)


def service_starts(target: Target, sandboxes: Sandboxes, plan: SandboxPlan) -> StartReport:
    """Whether the service answers its health path. Raises `SandboxFault` when the sandbox broke."""
    interface = target.interface.http
    if interface is None:
        return StartReport(ok=False, detail="the challenge has no http interface")
    sandbox = sandboxes.create(plan)
    try:
        Service(sandbox, interface, target.limits.test_seconds).start()
    except ServiceFailed as error:
        return StartReport(ok=False, detail=str(error))
    finally:
        sandbox.destroy()
    return StartReport(ok=True, detail=f"GET {interface.health} answered below 400")
