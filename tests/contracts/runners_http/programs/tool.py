"""A command with a well-behaved half and a misbehaving one."""

import os
import pathlib
import signal
import sys
import time

what, *rest = sys.argv[1:] or ["--help"]
if what == "--help":
    print("usage: tool …")
elif what == "upper":
    print(sys.stdin.read().upper(), end="")
elif what == "cat":
    print(pathlib.Path(rest[0]).read_text(), end="")
elif what == "write":
    pathlib.Path(rest[0]).write_text(rest[1])
elif what == "variable":
    print(os.environ[rest[0]])
elif what == "fail":
    print("wrong", file=sys.stderr)
    sys.exit(int(rest[0]))
elif what == "bytes":
    sys.stdout.buffer.write(b"\xff\x00\x1b[31mred")
elif what == "flood":
    while True:
        os.write(1, b"x" * 65536)
elif what == "sleep":
    time.sleep(60)
elif what == "segv":
    os.kill(os.getpid(), signal.SIGSEGV)
elif what == "fill":
    pathlib.Path("in").mkdir()
    pathlib.Path("in/a.txt").mkdir()
elif what == "eat":
    kept = [b"x" * (1 << 20) for _ in range(1 << 20)]
