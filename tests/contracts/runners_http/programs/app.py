"""A service with a well-behaved half and a misbehaving one; standard library only."""

import gzip
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STORE = pathlib.Path("store.json")
LOCK = threading.Lock()
KEPT = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args):
        pass

    def answer(self, status, value, **headers):
        body = json.dumps(value).encode()
        self.raw_answer(status, body, **{"Content-Type": "application/json", **headers})

    def raw_answer(self, status, body, **headers):
        lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.wfile.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def do_POST(self):
        value = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with LOCK:
            items = json.loads(STORE.read_text()) if STORE.exists() else []
            items.append(value)
            STORE.write_text(json.dumps(items))
        self.answer(201, {"count": len(items)})

    def do_GET(self):
        name = self.path.strip("/").partition("?")[0]
        getattr(self, f"get_{name}", self.missing)()

    def missing(self):
        self.answer(404, {"error": "not found"})

    def get_health(self):
        self.answer(200, {"ok": True})

    def get_first(self):
        self.answer(200 if json.loads(STORE.read_text()) == [{"id": "1"}] else 409, {})

    def get_items(self):
        self.answer(200, json.loads(STORE.read_text()) if STORE.exists() else [])

    def get_boom(self):
        self.answer(500, {"error": "boom"})

    def get_unavailable(self):
        self.answer(503, {"error": "later"})

    def get_redirect(self):
        self.raw_answer(302, b"", Location="http://example.org/elsewhere")

    def get_exit(self):
        print("last words \x1b[31m", flush=True)
        os._exit(3)

    def get_segv(self):
        os.kill(os.getpid(), signal.SIGSEGV)

    def get_flood(self):
        block = b"x" * 65536
        while True:
            os.write(1, block)

    def get_eat(self):
        KEPT.extend(os.urandom(1 << 20) for _ in range(1 << 20))

    def get_garbage(self):
        self.wfile.write(bytes(range(256)) * 40)
        self.close_connection = True

    def get_nothing(self):
        self.close_connection = True

    def get_headers(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"a" * 300_000 + b"\r\n\r\n")
        self.close_connection = True

    def get_body(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            self.wfile.write(b"10000\r\n" + b"a" * 65536 + b"\r\n")

    def get_bomb(self):
        self.raw_answer(200, gzip.compress(bytes(64 << 20)), Content_Encoding="gzip")

    def get_gzip(self):
        self.raw_answer(200, gzip.compress(b"small"), Content_Encoding="gzip")

    def get_nested(self):
        self.raw_answer(200, gzip.compress(gzip.compress(b"x")), Content_Encoding="gzip, gzip")

    def get_charset(self):
        self.raw_answer(200, b"BZh9", Content_Type="text/plain; charset=bz2")

    def get_informational(self):
        while True:
            self.wfile.write(b"HTTP/1.1 102 Processing\r\n\r\n" * 100)

    def get_drip(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            self.wfile.write(b"a")
            time.sleep(0.02)

    def get_hang(self):
        KEPT.append(self.connection.dup())
        time.sleep(60)

    def get_half(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        self.connection.shutdown(1)
        time.sleep(60)

    def get_daemon(self):
        code = "import time; time.sleep(600)"
        child = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        self.answer(200, {"pid": child.pid})

    def get_alive(self):
        try:
            os.kill(int(self.path.partition("?")[2]), 0)
        except OSError:
            return self.answer(200, False)
        return self.answer(200, True)


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


def leave(*_):
    pathlib.Path("goodbye").write_text("terminated")
    sys.exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, leave)
    print("starting", flush=True)
    Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
