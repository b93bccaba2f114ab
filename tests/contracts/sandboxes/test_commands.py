"""Running commands: results, files, channels, services, several at once."""

from __future__ import annotations

import os
import pty
from pathlib import Path

import pytest

from bouts.adapters.sandboxes.bubblewrap import Bubblewrap
from bouts.errors import BadUsage, NotFound
from bouts.model.sandbox import Command, Look, Mount, SandboxPlan

from .conftest import Make, python, text


def test_a_command_gives_output_and_status(make: Make) -> None:
    ended = make().exec(
        python("import sys; print(sys.stdin.read().upper()); print('no', file=sys.stderr); sys.exit(3)"), stdin=b"hello"
    )
    assert (ended.kind, ended.status, ended.stdout, ended.stderr) == ("exit", 3, b"HELLO\n", b"no\n")


def test_python_is_the_first_word_for_the_sandboxs_python(make: Make) -> None:
    assert text(make().exec(python("import sys; print(sys.executable)"))).startswith("/opt/python/bin/python3")


def test_a_large_input_and_output_arrive_whole(make: Make) -> None:
    data = os.urandom(300_000).hex().encode()
    ended = make(output_bytes=1 << 20).exec(Command(argv=("cat",)), stdin=data)
    assert ended.stdout == data


def test_an_input_nobody_reads_does_no_harm(make: Make) -> None:
    assert make().exec(Command(argv=("true",)), stdin=b"x" * 1_000_000).status == 0


def test_a_long_argument_list_and_environment_arrive(make: Make) -> None:
    code = "import os, sys; print(len(sys.argv[1]), len(os.environ['LONG']))"
    command = Command(argv=("python", "-c", code, "a" * 100_000), variables={"LONG": "b" * 100_000})
    assert text(make().exec(command)) == "100000 100000\n"


def test_a_missing_command_says_so(make: Make) -> None:
    ended = make().exec(Command(argv=("no-such-command",)))
    assert (ended.kind, ended.status) == ("exit", 127)
    assert "no-such-command" in ended.detail


def test_a_missing_folder_to_work_in_says_so(make: Make) -> None:
    ended = make().exec(Command(argv=("true",), cwd="/nowhere"))
    assert (ended.kind, ended.status) == ("exit", 127)


def test_a_crash_by_signal_is_an_exit_with_the_negative_number(make: Make) -> None:
    ended = make().exec(python("import os; os.kill(os.getpid(), 11)"))
    assert (ended.kind, ended.status) == ("exit", -11)


def test_the_workspace_is_copy_on_write(make: Make, workspace: Path) -> None:
    sandbox = make()
    # Without privileges the kernel's overlay answers EXDEV to the renaming of a folder from below, as between disks.
    code = (
        "import os, shutil\n"
        "open('solution.py', 'a').write('MORE = 2\\n')\n"
        "os.remove('package/module.py')\n"
        "os.rename('package', 'renamed') if os.getuid() > 1000 else shutil.move('package', 'renamed')\n"
        "open('new.txt', 'w').write('new')\n"
        "print(open('secret.txt').read(), open('solution.py').read(), sorted(os.listdir('.')))"
    )
    said = text(sandbox.exec(python(code)))
    assert "MORE = 2" in said
    assert "private" in said
    assert "renamed" in said
    assert (workspace / "solution.py").read_text() == "VALUE = 1\n"
    assert (workspace / "package" / "module.py").exists()
    assert not (workspace / "new.txt").exists()


def test_every_file_of_the_workspace_belongs_to_the_user_inside(make: Make, workspace: Path) -> None:
    for number in range(300):
        (workspace / "package" / f"m{number}.py").write_text("x", encoding="utf-8")
        (workspace / "package" / f"m{number}.py").chmod(0o600)
    sandbox = make(inodes=50)
    assert sandbox.workspace_by == "overlay"
    code = (
        "import os\n"
        "open('package/m7.py', 'a').write('y'); os.chmod('package/m8.py', 0o700)\n"
        "seen = {os.stat(os.path.join(top, n)).st_uid for top, names, files in os.walk('.') for n in names + files}\n"
        "print(seen == {os.getuid()}, open('package/m7.py').read())\n"
    )
    assert text(sandbox.exec(python(code))) == "True xy\n"


def test_owners_are_changed_one_by_one_where_they_cannot_be_mapped(workspace: Path) -> None:
    from bouts.adapters.sandboxes.inside import owners

    owners.own(str(workspace), os.getuid(), os.getgid())
    assert {path.stat().st_uid for path in workspace.rglob("*")} == {os.getuid()}


def test_two_sandboxes_over_one_workspace_do_not_meet(make: Make) -> None:
    first, second = make(), make()
    first.put("left.txt", b"from the first")
    assert second.get("left.txt", 100) is None
    assert first.get("left.txt", 100) == b"from the first"


def test_files_go_in_and_out(make: Make) -> None:
    sandbox = make()
    sandbox.put("deep/er/file.bin", bytes(range(256)) * 100)
    assert sandbox.get("deep/er/file.bin", 1 << 20) == bytes(range(256)) * 100
    assert sandbox.get("deep/er/file.bin", 10) == bytes(range(10))
    assert sandbox.get("absent", 10) is None
    assert sandbox.get("deep", 10) is None


def test_no_link_is_followed_and_no_pipe_is_waited_for(make: Make) -> None:
    sandbox = make()
    code = "import os; os.symlink('/etc/passwd', 'link'); os.symlink('/etc', 'way'); os.mkfifo('pipe')"
    assert sandbox.exec(python(code)).status == 0
    assert sandbox.get("link", 100) is None
    assert sandbox.get("way/passwd", 100) is None
    assert sandbox.get("pipe", 100) is None
    with pytest.raises(OSError, match="link"):
        sandbox.put("link", b"x")
    with pytest.raises(BadUsage):
        sandbox.get("../etc/passwd", 10)


def test_the_channel_is_descriptor_three(make: Make) -> None:
    code = "import socket; s = socket.socket(fileno=3); s.sendall(s.recv(100)[::-1])"
    running = make().start(python(code), channel=True)
    assert running.channel is not None
    with running.channel as channel:
        channel.sendall(b"abc")
        assert channel.recv(100) == b"cba"
    ended = running.wait(10)
    assert ended is not None
    assert ended.status == 0


def test_a_service_is_reached_by_connect(make: Make) -> None:
    code = (
        "import socket, time\n"
        "time.sleep(0.2)\n"
        "s = socket.create_server(('127.0.0.1', 8080))\n"
        "while True:\n"
        "    c, _ = s.accept(); c.sendall(c.recv(100).upper()); c.close()\n"
    )
    sandbox = make()
    running = sandbox.start(python(code))
    for _ in range(3):
        with sandbox.connect(8080, 10) as connection:
            connection.sendall(b"hello")
            assert connection.recv(100) == b"HELLO"
    running.kill()
    ended = running.wait(10)
    assert ended is not None
    assert ended.kind == "killed"


def test_connecting_to_nobody_times_out(make: Make) -> None:
    with pytest.raises(TimeoutError):
        make().connect(9, 0.1)


def test_commands_run_side_by_side_and_one_can_be_killed(make: Make) -> None:
    sandbox = make()
    waiting = sandbox.start(python("import time; time.sleep(60)", seconds=60))
    other = sandbox.start(Command(argv=("cat",), seconds=60), channel=True)
    assert other.wait(5) is not None
    assert waiting.wait(0) is None
    waiting.kill()
    ended = waiting.wait(10)
    assert ended is not None
    assert (ended.kind, ended.status) == ("killed", -9)
    assert sandbox.exec(Command(argv=("true",))).status == 0
    if other.channel:
        other.channel.close()


def test_a_command_can_be_asked_to_end(make: Make) -> None:
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
        "import socket; socket.socket(fileno=3).sendall(b'x')\n"
        "time.sleep(60)\n"
    )
    running = make().start(python(code, seconds=60), channel=True)
    assert running.channel is not None
    with running.channel as channel:
        channel.recv(1)
    running.terminate()
    ended = running.wait(10)
    assert ended is not None
    assert (ended.kind, ended.status) == ("exit", 7)


def test_a_killed_sandbox_ends_its_commands_and_runs_no_more(make: Make) -> None:
    sandbox = make()
    running = sandbox.start(python("import time; time.sleep(60)", seconds=60))
    sandbox.kill()
    ended = running.wait(10)
    assert ended is not None
    assert ended.kind == "killed"
    assert sandbox.exec(Command(argv=("true",))).kind == "killed"
    assert sandbox.destroy() == sandbox.destroy()
    assert sandbox.exec(Command(argv=("true",))).kind == "killed"


def test_two_looks_differ(make: Make) -> None:
    look = Look(user="casey", host="build-7", home="/srv/casey", workspace="/srv/src", variables={"CI": "1"})
    code = (
        "import os, pwd, socket; me = pwd.getpwuid(os.getuid());"
        "print(os.getcwd(), me.pw_name, me.pw_dir, socket.gethostname(), os.environ['HOME'], os.environ.get('CI'))"
    )
    assert text(make(look=look).exec(python(code))) == "/srv/src casey /srv/casey build-7 /srv/casey 1\n"
    assert text(make().exec(python(code))) == "/work agent /home/agent workspace /home/agent None\n"


@pytest.mark.parametrize(
    ("home", "place"),
    [
        ("/home/casey", "/home/casey/src"),
        ("/work/.home", "/work"),
        ("/srv/both", "/srv/both"),
        ("/home/c", "/tmp/build"),
    ],
)
def test_home_and_workspace_may_lie_in_each_other(make: Make, home: str, place: str) -> None:
    code = (
        "import os\n"
        "open('new.txt', 'w').write('w'); open(os.environ['HOME'] + '/own.txt', 'w').write('h')\n"
        "print(os.getcwd(), open('solution.py').read())\n"
    )
    assert text(make(look=Look(home=home, workspace=place)).exec(python(code))) == f"{place} VALUE = 1\n\n"


def test_mounts_are_read_only_also_below_the_workspace(make: Make, tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    shown.mkdir()
    (shown / "data.txt").write_text("data", encoding="utf-8")
    mounts = (
        Mount(source=str(shown), target="/opt/env"),
        Mount(source=str(shown / "data.txt"), target="/opt/one/file.txt"),
        Mount(source=str(shown), target="/work/vendor/shown"),
    )
    code = (
        "for path in ('/opt/env/data.txt', '/opt/one/file.txt', 'vendor/shown/data.txt'):\n"
        "    print(open(path).read())\n"
        "    try: open(path, 'a')\n"
        "    except OSError: continue\n"
        "    print('written', path)\n"
    )
    assert text(make(mounts=mounts).exec(python(code))) == "data\ndata\ndata\n"


def test_a_plan_that_cannot_be_is_refused(backend: Bubblewrap, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        backend.create(SandboxPlan(workspace=str(tmp_path / "absent")))
    with pytest.raises(BadUsage):
        backend.create(SandboxPlan(workspace=None, mounts=(Mount(source=str(tmp_path), target="/a/../b"),)))


def test_a_terminal_can_be_given(make: Make) -> None:
    near, far = pty.openpty()
    code = "import os, sys; print(os.isatty(0), input().upper())"
    running = make().start(python(code), terminal_fd=far)
    os.close(far)
    os.write(near, b"hello\n")
    ended = running.wait(10)
    assert ended is not None
    assert ended.status == 0
    assert b"True HELLO" in os.read(near, 1000)
    os.close(near)


def test_no_workspace_is_an_empty_folder(make: Make) -> None:
    sandbox = make(empty=True)
    assert (
        text(sandbox.exec(python("import os; open('a', 'w'); print(os.getcwd(), os.listdir('.'))"))) == "/work ['a']\n"
    )
