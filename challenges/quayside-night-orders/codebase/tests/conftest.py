"""Starts a service of its own, on a fresh database, for each test."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parent.parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.clients = []
        self.process = None

    def start(self):
        variables = {**os.environ, "QUAYSIDE_PORT": str(self.port)}
        self.process = subprocess.Popen([sys.executable, "-m", "quayside"], cwd=self.folder, env=variables)
        deadline = time.monotonic() + 10
        while True:
            try:
                if httpx.get(self.base_url + "/health").status_code == 200:
                    return
            except httpx.TransportError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("the service does not start") from None
            time.sleep(0.02)

    def stop(self):
        self.process.kill()
        self.process.wait()

    def restart(self):
        self.stop()
        self.start()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=5)

    def read(self, path):
        file = self.folder / path
        return file.read_bytes() if file.is_file() else None

    def new_client(self):
        client = httpx.Client(base_url=self.base_url, timeout=10)
        self.clients.append(client)
        return client


@pytest.fixture
def service(tmp_path):
    for part in ("quayside", "migrations"):
        shutil.copytree(ROOT / part, tmp_path / part)
    running = Service(tmp_path)
    running.start()
    yield running
    for client in running.clients:
        client.close()
    running.stop()


@pytest.fixture
def client(service):
    return service.new_client()
