"""Unpacking archives into memory. One unsafe member refuses the whole archive; nothing is written to disk."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn

from bouts.challenges import limits, names
from bouts.challenges.handed import Dropped, Handed
from bouts.errors import BadSubmission

_BROKEN = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError),
    *(ValueError, NotImplementedError, RuntimeError, OverflowError, struct.error, IndexError, UnicodeError),
)
_TAR_OVERHEAD = limits.MEMBERS * 1024


@dataclass
class _Unpacked:
    """Members gathered so far; every check that can refuse the whole stands here."""

    where: str
    files: dict[str, Handed] = field(default_factory=dict[str, Handed])
    folders: set[str] = field(default_factory=set[str])
    dropped: Dropped = field(default_factory=Dropped)
    members: int = 0
    total: int = 0

    def refuse(self, member: str, what: str) -> NoReturn:
        hint = "an archive holds plain files and folders with relative names; nothing of it was taken"
        raise BadSubmission(f"the member {names.shown(member)!r} {what}", where=self.where, hint=hint)

    def name(self, raw: str) -> str:
        """The path of a member, in one spelling. Refuses the whole archive for a path that leaves it."""
        self.members += 1
        if self.members > limits.MEMBERS:
            raise BadSubmission(f"it holds more than {limits.MEMBERS} members", where=self.where)
        if reason := names.unsafe(raw):
            self.refuse(raw, f"is unsafe: {reason}")
        return "/".join(part for part in raw.split("/") if part not in ("", "."))

    def add(self, path: str, raw: str, size: int, executable: bool | None, read: Callable[[], bytes]) -> None:
        """Take one regular file."""
        if not path:
            self.refuse(raw, "has no name")
        if path in self.files or path in self.folders:
            self.refuse(raw, "is there twice")
        for number in range(1, path.count("/") + 1):
            above = "/".join(path.split("/")[:number])
            if above in self.files:
                self.refuse(raw, f"lies below {above!r}, which is a file")
            self.folders.add(above)
        if self.dropped.drops(path):
            return
        if size > limits.FILE_BYTES:
            self.refuse(raw, f"is larger than {limits.mebibytes(limits.FILE_BYTES)}")
        self.total += size
        if self.total > limits.TOTAL_BYTES:
            self.refuse(raw, f"makes the whole larger than {limits.mebibytes(limits.TOTAL_BYTES)}")
        if len(self.files) >= limits.FILES:
            raise BadSubmission(f"it holds more than {limits.FILES} files", where=self.where)
        data = read()
        if len(data) != size:
            self.refuse(raw, "is not as long as the archive says")
        self.files[path] = Handed(path, data, size, executable)

    def folder(self, path: str, raw: str) -> None:
        """Note a folder member, which brings nothing by itself."""
        if path in self.files:
            self.refuse(raw, "is there as a file and as a folder")
        self.folders.add(path)


def unpack(data: bytes, name: str, where: str) -> tuple[dict[str, Handed], Dropped]:
    """The files of an archive, by path. `name` (folded) decides the kind.

    Raises `BadSubmission` for unsafe, doubled or special members, bombs, encrypted and broken archives."""
    unpacked = _Unpacked(where)
    try:
        if name.endswith(".zip"):
            _zip(data, unpacked)
        else:
            suffix = max((s for s in names.TAR_SUFFIXES if name.endswith(s)), key=len)
            _tar(_expand(data, suffix, where), unpacked)
    except BadSubmission:
        raise
    except _BROKEN as error:
        ending = next(s for s in sorted(names.ARCHIVE_SUFFIXES, key=len, reverse=True) if name.endswith(s))
        raise BadSubmission(f"it is no readable {ending} archive: {error}", where=where) from None
    return dict(sorted(unpacked.files.items())), unpacked.dropped


def _expand(data: bytes, suffix: str, where: str) -> bytes:
    """The bare tar file, never more of it than the limits allow."""
    if suffix == ".tar":
        return data
    most = limits.TOTAL_BYTES + _TAR_OVERHEAD
    pieces: list[bytes] = []
    size = 0
    with _stream(data, suffix) as stream:
        while piece := stream.read(limits.MIB):
            pieces.append(piece)
            size += len(piece)
            _ratio(size, len(data), where)
            if size > most:
                hint = "leave out environments, caches and data"
                raise BadSubmission(f"it unpacks to more than {limits.mebibytes(most)}", where=where, hint=hint)
    return b"".join(pieces)


def _stream(data: bytes, suffix: str) -> gzip.GzipFile | lzma.LZMAFile | bz2.BZ2File:
    if suffix.endswith("gz"):
        return gzip.GzipFile(fileobj=io.BytesIO(data))
    return lzma.LZMAFile(io.BytesIO(data)) if suffix.endswith("xz") else bz2.BZ2File(io.BytesIO(data))


def _ratio(after: int, before: int, where: str) -> None:
    if after > limits.RATIO_FLOOR and after > limits.RATIO * max(before, 1):
        raise BadSubmission(f"it unpacks to more than {limits.RATIO} times its size", where=where)


def _tar(data: bytes, unpacked: _Unpacked) -> None:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for member in archive:
            path = unpacked.name(member.name)
            if member.isdir():
                unpacked.folder(path, member.name)
                continue
            if member.issym() or member.islnk():
                unpacked.refuse(member.name, "is a link")
            if not member.isreg() or member.issparse():
                unpacked.refuse(member.name, "is no plain file: a device, a pipe or a file with holes")
            unpacked.add(path, member.name, member.size, bool(member.mode & 0o111), lambda m=member: _bytes(archive, m))


def _bytes(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(member)
    return stream.read() if stream else b""


def _zip(data: bytes, unpacked: _Unpacked) -> None:
    _directory_size(data, unpacked.where)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        _ratio(sum(i.file_size for i in archive.infolist()), len(data), unpacked.where)
        for info in archive.infolist():
            raw = _zip_name(info)
            path = unpacked.name(raw)
            mode = info.external_attr >> 16 if info.create_system == 3 else 0
            if info.is_dir():
                unpacked.folder(path, raw)
                continue
            if stat.S_ISLNK(mode):
                unpacked.refuse(raw, "is a link")
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                unpacked.refuse(raw, "is no plain file")
            if info.flag_bits & 0x1:
                unpacked.refuse(raw, "is encrypted")
            unpacked.add(
                path, raw, info.file_size, bool(mode & 0o111) if mode else None, lambda i=info: _inflate(archive, i)
            )


def _zip_name(info: zipfile.ZipInfo) -> str:
    """A member's name. Zip tools on Unix write UTF-8 and often forget to say so."""
    if info.flag_bits & 0x800 or info.create_system != 3:
        return info.orig_filename
    try:
        return info.orig_filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.orig_filename


def _inflate(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as stream:
        return stream.read(limits.FILE_BYTES + 1)


def _directory_size(data: bytes, where: str) -> None:
    """Refuse a directory that is too long before the library reads all of it."""
    tail = data[-(65_535 + 22) :]
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < 22:
        raise zipfile.BadZipFile("it has no directory at its end")
    count, size = struct.unpack("<HI", tail[at + 10 : at + 16])
    if count > limits.MEMBERS or size > limits.MEMBERS * 512:
        raise BadSubmission(f"it holds more than {limits.MEMBERS} members", where=where)
