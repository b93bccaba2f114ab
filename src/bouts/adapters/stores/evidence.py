"""Evidence files by the digest of their bytes: in a folder, or in a store that fsspec knows by a URL."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from bouts.errors import BadUsage, NotFound, StoreFault

_HINT = "make room, or mend the permissions; nothing of this run was recorded, so run it again"


class EvidenceStore(Protocol):
    """Keeps bytes under their digest."""

    def put(self, data: bytes) -> str:
        """Keep them; their digest. Raises `StoreFault`."""
        ...

    def get(self, digest: str) -> bytes:
        """The bytes, as they lie there. Raises `NotFound` or `StoreFault`."""
        ...

    def all(self) -> Iterator[str]:
        """Every digest that something is kept under."""
        ...


def sha256(data: bytes) -> str:
    """The digest of bytes."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def checked(store: EvidenceStore, digest: str) -> bytes:
    """The bytes of a digest. Raises `NotFound`, and `StoreFault` where they are others."""
    data = store.get(digest)
    if sha256(data) != digest:
        hint = "restore it from a backup; `bouts ledger verify` lists everything that is damaged"
        raise StoreFault("the evidence is damaged", where=digest, hint=hint)
    return data


def open_evidence(place: str) -> EvidenceStore:
    """The store at a folder or URL. Raises `BadUsage` where the URL needs a package that is not here."""
    if "://" not in place:
        return Folder(Path(place))
    if importlib.util.find_spec("fsspec") is None:
        raise BadUsage("evidence at a URL needs the package fsspec", where=place, hint="pip install 'bouts[remote]'")
    return Remote(place)


def _parts(digest: str) -> tuple[str, str]:
    name = digest.removeprefix("sha256:")
    return name[:2], f"{name[2:]}.json.gz"


def _digest(folder: str, name: str) -> str:
    return f"sha256:{folder}{name.removesuffix('.json.gz')}"


class Folder:
    """A folder of this machine."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, data: bytes) -> str:
        """Keep the bytes: whole under their name, and on the disk, before this returns."""
        digest = sha256(data)
        path = self._path(digest)
        part = path.with_name(f".{secrets.token_hex(4)}.part")
        try:
            if path.is_file() and path.read_bytes() == data:
                return digest
            path.parent.mkdir(parents=True, exist_ok=True)
            with part.open("xb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            part.replace(path)
            _sync(path.parent)
        except OSError as error:
            _remove(part)
            raise StoreFault(
                f"the evidence cannot be kept: {error.strerror or error}", where=str(path), hint=_HINT
            ) from error
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes."""
        path = self._path(digest)
        try:
            return path.read_bytes()
        except FileNotFoundError as error:
            raise NotFound("the evidence is not here", where=str(path)) from error
        except OSError as error:
            raise StoreFault(f"the evidence cannot be read: {error.strerror}", where=str(path)) from error

    def all(self) -> Iterator[str]:
        """Every digest there is."""
        for path in sorted(self.root.glob("??/*.json.gz")):
            yield _digest(path.parent.name, path.name)

    def _path(self, digest: str) -> Path:
        return self.root.joinpath(*_parts(digest))


class Remote:
    """A store that fsspec knows, such as `s3://bucket/evidence`."""

    def __init__(self, url: str) -> None:
        import fsspec  # pyright: ignore[reportMissingTypeStubs]

        self.url = url
        try:
            core: Any = fsspec.core
            self._files, self._root = core.url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise BadUsage(f"evidence cannot be kept there: {error}", where=url) from error

    def put(self, data: bytes) -> str:
        """Keep the bytes. What a store shows before it is whole is told by its digest when it is read."""
        digest = sha256(data)
        folder, name = _parts(digest)
        try:
            path = f"{self._root}/{folder}/{name}"
            if self._files.exists(path) and self._files.cat_file(path) == data:
                return digest
            self._files.makedirs(f"{self._root}/{folder}", exist_ok=True)
            self._files.pipe_file(path, data)
        except Exception as error:  # each kind of store raises errors of its own
            raise StoreFault(f"the evidence cannot be kept: {error}", where=self.url, hint=_HINT) from error
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes."""
        try:
            return self._files.cat_file("/".join((self._root, *_parts(digest))))
        except FileNotFoundError as error:
            raise NotFound("the evidence is not here", where=f"{self.url} {digest}") from error
        except Exception as error:
            raise StoreFault(f"the evidence cannot be read: {error}", where=self.url) from error

    def all(self) -> Iterator[str]:
        """Every digest there is."""
        try:
            found: list[str] = sorted(self._files.glob(f"{self._root}/??/*.json.gz"))
        except Exception as error:
            raise StoreFault(f"the evidence cannot be listed: {error}", where=self.url) from error
        for path in found:
            _, folder, name = path.rsplit("/", 2)
            yield _digest(folder, name)


def _sync(folder: Path) -> None:
    """See to it that a name is on the disk, too."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return
