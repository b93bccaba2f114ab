"""Where control groups can be made, read from what the kernel tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from bouts.adapters.sandboxes import cgroups


def tell(tmp_path: Path, own: str, mounts: str) -> cgroups.Places | None:
    (tmp_path / "cgroup").write_text(own, encoding="utf-8")
    (tmp_path / "mountinfo").write_text(mounts.replace("{}", str(tmp_path)), encoding="utf-8")
    return cgroups.find(tmp_path / "cgroup", tmp_path / "mountinfo")


def folder(path: Path, **files: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (path / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return path


V1_MOUNTS = (
    "30 25 0:26 {root} {}/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n"
    "31 25 0:27 {root} {}/pids rw,relatime shared:9 - cgroup cgroup rw,pids\n"
)


def test_version_one_below_ones_own_group(tmp_path: Path) -> None:
    memory, pids = folder(tmp_path / "memory" / "a" / "b"), folder(tmp_path / "pids")
    found = tell(tmp_path, "4:memory:/a/b\n3:pids:/\n", V1_MOUNTS.replace("{root}", "/"))
    assert found == cgroups.Places(1, memory, pids)


def test_version_one_in_a_container_that_shows_its_own_group_as_the_root(tmp_path: Path) -> None:
    memory, pids = folder(tmp_path / "memory"), folder(tmp_path / "pids")
    found = tell(tmp_path, "4:memory:/docker/x\n3:pids:/docker/x\n", V1_MOUNTS.replace("{root}", "/docker/x"))
    assert found == cgroups.Places(1, memory, pids)


V2_MOUNTS = "30 25 0:26 / {}/unified rw,relatime shared:9 - cgroup2 cgroup2 rw\n"
GIVEN = {"cgroup__subtree_control": "cpu memory pids\n", "cgroup__procs": ""}


def test_version_two_where_the_own_group_gives_controllers(tmp_path: Path) -> None:
    own = folder(tmp_path / "unified" / "app", **GIVEN)
    assert tell(tmp_path, "0::/app\n", V2_MOUNTS) == cgroups.Places(2, own, own)


def test_version_two_where_only_the_parent_does(tmp_path: Path) -> None:
    parent = folder(tmp_path / "unified" / "slice", **GIVEN)
    folder(parent / "app.scope", cgroup__subtree_control="\n", cgroup__procs="")
    assert tell(tmp_path, "0::/slice/app.scope\n", V2_MOUNTS) == cgroups.Places(2, parent, parent)


@pytest.mark.parametrize("given", ["", "cpu memory\n", "pids\n"])
def test_version_two_without_both_controllers(tmp_path: Path, given: str) -> None:
    folder(tmp_path / "unified" / "app", cgroup__subtree_control=given, cgroup__procs="")
    assert tell(tmp_path, "0::/app\n", V2_MOUNTS) is None


def test_no_control_groups_at_all(tmp_path: Path) -> None:
    assert tell(tmp_path, "", "22 1 254:0 / / rw - ext4 /dev/vda rw\n") is None
    assert cgroups.find(tmp_path / "absent", tmp_path / "absent") is None


def test_a_version_two_group_sets_and_reads_what_the_kernel_defines(tmp_path: Path) -> None:
    top = folder(tmp_path / "unified")
    group = cgroups.Group(cgroups.Places(2, top, top), "run-1", "t1")
    inside = folder(top / "run-1" / "t1", memory__events="low 0\noom 2\noom_kill 3\n", memory__peak="4096\n")
    (inside / "pids.events").write_text("max 7\n", encoding="utf-8")
    for name in ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max"):
        (inside / name).write_text("", encoding="utf-8")
    (top / "run-1" / "cgroup.subtree_control").write_text("", encoding="utf-8")
    group.make(1 << 20, 9)
    assert (inside / "memory.max").read_text() == "1048576"
    assert (inside / "memory.swap.max").read_text() == "0"
    assert (inside / "memory.oom.group").read_text() == "1"
    assert (inside / "pids.max").read_text() == "9"
    assert (top / "run-1" / "cgroup.subtree_control").read_text() == "+memory +pids"
    assert (group.peak(), group.ooms(), group.denials(), group.ran_out(), group.alarm) == (4096, 3, 7, True, -1)
