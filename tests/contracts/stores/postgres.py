"""A PostgreSQL server of our own: in a folder, as an unprivileged user, on a socket that nobody else sees."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

DEBIAN = Path("/usr/lib/postgresql")
OPTIONS = ("listen_addresses=", "shared_buffers=16MB", "max_connections=60", "autovacuum=off")


def programs() -> Path | None:
    """The folder with initdb and postgres, the newest of several."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    if DEBIAN.is_dir():
        folders += sorted(DEBIAN.glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    return next((path for path in folders if (path / "initdb").exists() and (path / "postgres").exists()), None)


class Server:
    """A server that runs until it is stopped."""

    def __init__(self, bin_folder: Path) -> None:
        self._bin = bin_folder
        # Not below pytest's folder, which only its owner may enter.
        self.folder = Path(tempfile.mkdtemp(prefix="bouts-postgres-"))
        self._user: dict[str, object] = {}
        self.name = "tester"
        if os.geteuid() == 0:
            entry = next((p for p in pwd.getpwall() if p.pw_name in ("postgres", "nobody") and p.pw_uid), None)
            assert entry is not None
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
            self._user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        self.data = self.folder / "data"
        self._run("initdb", "-D", self.data, "-U", self.name, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [self._bin / "postgres", "-D", self.data, "-k", self.folder, *(f"-c{option}" for option in OPTIONS)],
            stdout=self._log,
            stderr=self._log,
            cwd=self.folder,
            **self._user,  # type: ignore[call-overload]
        )
        until = time.monotonic() + 60
        while not self._answers():
            assert self._process.poll() is None and time.monotonic() < until, (self.folder / "log").read_text()
            time.sleep(0.05)

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(host=str(self.folder), user=self.name, dbname="postgres", connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def place(self, name: str) -> str:
        """The address of a new, empty place: a schema of its own, as databases are 7 MB each."""
        import psycopg

        with psycopg.connect(host=str(self.folder), user=self.name, dbname="postgres") as connection:
            connection.execute(f'CREATE SCHEMA "{name}"')
        options = quote(f"-csearch_path={name}")
        return f"postgresql://{self.name}@/postgres?host={quote(str(self.folder))}&options={options}"

    def kill(self) -> None:
        """End it as a power cut would: no process of it may write anything any more."""
        self._process.send_signal(3)  # SIGQUIT: immediate shutdown, recovery at the next start
        self._process.wait(60)
        self._log.close()

    def stop(self) -> None:
        """End it and remove what it kept."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: object) -> None:
        done = subprocess.run(
            [self._bin / program, *map(str, arguments)],
            check=False,
            capture_output=True,
            text=True,
            cwd=self.folder,
            **self._user,  # type: ignore[call-overload]
        )
        assert done.returncode == 0, done.stderr
