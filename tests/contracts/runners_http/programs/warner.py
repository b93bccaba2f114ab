"""Warns: as a service (first argument a port) or as a command."""

import http.server
import json
import os
import sys
import warnings


def old():
    warnings.warn("old", DeprecationWarning)


def leaves():
    file = open(__file__)
    return len(file.read())


def seen():
    """Everything by which a program could notice that somebody listens."""
    return {
        "path": sys.path,
        "modules": sorted(name for name in sys.modules if "custom" in name),
        "variables": dict(os.environ),
        "descriptors": [number for number in range(3, 100) if os.path.exists(f"/proc/self/fd/{number}")],
        "meta": len(sys.meta_path),
        "hooks": [sys.excepthook is sys.__excepthook__, sys.unraisablehook is sys.__unraisablehook__],
    }


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/old":
            old()
        if self.path == "/fork" and os.fork() == 0:
            old()
            os._exit(0)
        if self.path == "/closes":
            os.closerange(3, 256) if os.fork() == 0 else os.wait()
        body = json.dumps(seen()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def command(words):
    if words == ["old"]:
        old()
    elif words == ["leaves"]:
        leaves()
        print("left")
    elif words == ["seen"]:
        print(json.dumps(seen()))
    elif words == ["killed"]:
        old()
        os.kill(os.getpid(), 9)
    elif words == ["taken"]:
        # What is opened after a program closed all that it does not know must not be written to.
        os.closerange(3, 256)
        with open("mine", "w") as file:
            os.dup2(file.fileno(), 200)
            old()
        print(os.path.getsize("mine"))
    elif words == ["many"]:
        for number in range(400):
            exec(
                compile(f"{chr(10) * number}warnings.warn('w' * 300, DeprecationWarning)", __file__, "exec"), globals()
            )
        print("done")
    elif words == ["library"]:
        exec(
            compile("import warnings; warnings.warn('x', DeprecationWarning)", "/opt/env/x.py", "exec"),
            {"__name__": "x"},
        )


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].isdigit():
        http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
    command(sys.argv[1:])
