# SPDX-License-Identifier: Apache-2.0
"""Ends a recorder with kill -9 while clients send requests, starts it again, and checks what is on the disk. See kill.sh.

Each client gets a text that mentions a secret, in one of several spellings, and then names the secret in a login. After
each kill, no secret whose login had finished may be on the disk, in any spelling. In the end, each exchange whose response
a client had received completely must be in the cassette, exactly once.
"""

import argparse
import base64
import collections
import http.client
import http.server
import json
import random
import re
import signal
import string
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PADDING = "lorem ipsum dolor " * 2000


def secret(number):
    """The secret with this number."""
    letters = random.Random(f"secret {number}")
    return f"k{number}Z" + "".join(letters.choice(string.ascii_letters + string.digits) for _ in range(20))


def text(number):
    """The type and the content of the text that mentions a secret."""
    plain = f"see {secret(number)}."
    kind = number % 5
    if kind == 0:
        return "text/plain", plain.encode()
    if kind == 1:
        return "text/plain", (PADDING + plain + PADDING).encode()
    if kind == 2:
        return "text/plain", b"handle " + base64.b64encode(plain.encode()) + b" end"
    if kind == 3:
        return "text/plain", b"\xff\xfe" + plain.encode("utf-16-le")
    return "text/event-stream", f"data: {number}\n\ndata: {plain}\n\ndata: end\n\n".encode()


def secrets(content):
    """The numbers of the secrets in the content of a file, also in Base64 and UTF-16."""
    texts = [content]
    for run in re.findall(rb"[A-Za-z0-9+/]{24,}", content):
        # A part of a text can have been replaced, so that the rest starts anywhere.
        for start in range(4):
            texts.append(base64.b64decode(run[start : start + (len(run) - start) // 4 * 4]))
    for found, number in re.findall(rb"(k([0-9]+)Z[A-Za-z0-9]{12})", b"\n".join(texts).replace(b"\0", b"")):
        if secret(int(number)).encode().startswith(found):
            yield int(number)


class Upstream(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        kind, content = text(int(self.path.rsplit("/", 1)[1]))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if kind != "text/event-stream":
            self.wfile.write(content)
            return
        for event in content.split(b"\n\n")[:-1]:
            self.wfile.write(event + b"\n\n")
            self.wfile.flush()
            time.sleep(0.01)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # The recorder was killed.
        pass


class Round:
    """The requests of the clients between a start of the recorder and its end."""

    def __init__(self, port, numbers, clients):
        self.port, self.numbers = port, numbers
        self.finished = []
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.run) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def end(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join()

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            while not self.is_over.is_set():
                number = next(self.numbers)
                self.send(connection, "GET", f"/mention/{number}", None, {})
                self.send(connection, "POST", f"/login/{number}", "x=1", {"Authorization": f"Bearer {secret(number)}"})
        except (OSError, http.client.HTTPException):
            # The recorder was killed.
            pass
        finally:
            connection.close()

    def send(self, connection, method, path, body, headers):
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        response.read()
        if response.status >= 300:
            sys.exit(f"expected an answer of the upstream to {path}, found {response.status}")
        self.finished.append(path)


class Numbers:
    """Counts for all threads."""

    def __init__(self):
        self.last, self.lock = 0, threading.Lock()

    def __next__(self):
        with self.lock:
            self.last += 1
            return self.last


def start(mockserver, folder, upstream):
    ready = folder / "port"
    ready.unlink(missing_ok=True)
    cassette = folder / "recording" / "a.cassette.json"
    process = subprocess.Popen(
        [mockserver, "record", f"http://127.0.0.1:{upstream}", "--out", cassette, "--mode", "append", "--port", "0",
         "--port-file", ready, "--quiet"],
        stdout=subprocess.DEVNULL,
    )
    for _ in range(6000):
        if ready.exists() and ready.read_text().strip():
            return process, int(ready.read_text())
        if process.poll() is not None:
            sys.exit(f"expected a recorder, found exit status {process.returncode}")
        time.sleep(0.01)
    sys.exit("expected the recorder to be ready after 60 seconds, found no port")


def on_disk(folder, paths):
    """The named secrets that are on the disk."""
    named = {int(path.rsplit("/", 1)[1]) for path in paths if path.startswith("/login/")}
    return {number for path in folder.rglob("*") if path.is_file() for number in secrets(path.read_bytes())} & named


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mockserver", required=True)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=2, help="the longest time between two kills")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    server = Server(("127.0.0.1", 0), Upstream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    upstream = server.server_address[1]
    chance = random.Random(options.seed)
    numbers, finished, leaks = Numbers(), [], set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for _ in range(options.kills):
            process, port = start(options.mockserver, folder, upstream)
            load = Round(port, numbers, options.clients)
            time.sleep(chance.uniform(0.1, options.seconds))
            process.send_signal(signal.SIGKILL)
            process.wait()
            load.end()
            finished += load.finished
            leaks.update(on_disk(folder / "recording", finished))
        process, _ = start(options.mockserver, folder, upstream)
        process.send_signal(signal.SIGINT)
        if process.wait() != 0:
            sys.exit(f"expected the recording to end, found exit status {process.returncode}")
        leaks.update(on_disk(folder / "recording", finished))
        exchanges = json.loads((folder / "recording" / "a.cassette.json").read_text())["exchanges"]
        urls = (exchange["request"]["url"] for exchange in exchanges)
        recorded = collections.Counter("/" + "/".join(url.rsplit("/", 2)[1:]) for url in urls)
    lost = [path for path in finished if path not in recorded]
    repeated = [path for path, count in recorded.items() if count > 1]
    print(
        f"{options.kills} kills: {len(finished)} exchanges finished, {len(lost)} of them lost, "
        f"{len(repeated)} recorded twice; {len(leaks)} named secrets on the disk"
    )
    for title, found in [("lost", lost), ("recorded twice", repeated), ("on the disk", sorted(leaks))]:
        if found:
            print(f"{title}: {', '.join(map(str, found[:10]))}")
    sys.exit(1 if lost or repeated or leaks else 0)


if __name__ == "__main__":
    main()
