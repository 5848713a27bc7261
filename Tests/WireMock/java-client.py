# SPDX-License-Identifier: Apache-2.0
"""Runs WireMock's own Java client, whose models refuse unknown members, against WireMock and against mockserver, and
compares the result of each step. See run.sh and JavaClient.java."""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import servers

FOLDER = Path(__file__).parent


class Upstream(BaseHTTPRequestHandler):
    """The server that is recorded."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = f"upstream {self.path}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            # A server that stops may reset its connections.
            pass


def compiled(jar, folder):
    command = ["javac", "-cp", jar, "-d", folder, str(FOLDER / "JavaClient.java")]
    subprocess.run(command, check=True)
    return [*servers.JAVA, "-cp", f"{jar}:{folder}", "JavaClient"]


def results(client, server, upstream):
    """The result of each step, without what differs from run to run: identifiers, ports, and the client's stack."""
    target = f"http://127.0.0.1:{upstream.server_port}"
    run = subprocess.run([*client, str(server.port), target], stdout=subprocess.PIPE, timeout=120, check=True)
    found = {}
    for line in run.stdout.decode().splitlines():
        name, _, text = line.partition("\t")
        text = text.replace(f":{server.port}", ":PORT").replace(f":{upstream.server_port}", ":UPSTREAM")
        identifiers = {}
        text = re.sub(
            r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
            lambda match: identifiers.setdefault(match.group(0), f"ID{len(identifiers) + 1}"),
            text,
        )
        found[name] = re.sub(r"@[0-9a-f]+\b", "@", text)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jar", required=True)
    parser.add_argument("--mockserver", required=True)
    parser.add_argument("--verbose", action="store_true", help="prints equal results too")
    options = parser.parse_args()
    expected = json.loads((FOLDER / "expected-client-differences.json").read_text())
    upstream = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    failures, known = 0, 0
    with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as classes:
        Path(root, "mappings").mkdir()
        wiremock = ours = None
        try:
            client = compiled(options.jar, classes)
            wiremock = servers.WireMock(options.jar)
            ours = servers.Mockserver(options.mockserver, root)
            wanted, found = results(client, wiremock, upstream), results(client, ours, upstream)
        finally:
            servers.stop_all(wiremock, ours)
            upstream.shutdown()
    for name, text in wanted.items():
        if text == found.get(name):
            if name in expected:
                failures += 1
                print(f"EQUAL, but expected to differ: {name}")
            elif options.verbose:
                print(f"equal: {name}: {text}")
        elif name in expected:
            known += 1
        else:
            failures += 1
            print(f"DIFFERENT {name}\n  WireMock:   {text}\n  mockserver: {found.get(name)}")
    print(f"{len(wanted) - failures - known} of {len(wanted)} steps of the Java client equal, {known} differ as documented")
    sys.exit(1 if failures else 0)


main()
