# SPDX-License-Identifier: Apache-2.0
"""Starts WireMock and mockserver with the same stubs."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import http_wire

JAVA = [
    "java",
    "-Duser.timezone=UTC",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Dfile.encoding=UTF-8",
]

# Without this, a run that is stopped leaves its servers running.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


class Server:
    """A process that listens on a port that the system chose."""

    def __init__(self, command, announcement):
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # Templates may print variables whose names begin with "wiremock.".
            env={**os.environ, "TZ": "UTC", "wiremock.suite": "comparison"},
            start_new_session=True,
        )
        self.output, self.port = [], None
        ready = threading.Event()

        def read():
            for line in self.process.stdout:
                text = line.decode("utf-8", "replace")
                if len(self.output) < 5000:
                    self.output.append(text)
                if self.port is None and (found := re.search(announcement, text)):
                    self.port = int(found.group(1))
                    ready.set()
            ready.set()

        threading.Thread(target=read, daemon=True).start()
        ready.wait(300)
        if self.port is None:
            self.stop()
            raise RuntimeError(f"{' '.join(command)} did not start:\n{''.join(self.output[-40:])}")

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    def send(self, request, timeout=10):
        return http_wire.send(self.port, request, timeout)

    def admin(self, method, path, value=None):
        body = b"" if value is None else value if isinstance(value, bytes) else json.dumps(value).encode()
        answer = self.send(http_wire.Request(method, "/__admin" + path, [("Content-Type", "application/json")], body), 60)
        if answer.status >= 300 or answer.ending != "complete":
            detail = answer.body.decode("utf-8", "replace")[:2000]
            raise RuntimeError(f"{method} /__admin{path} answered {answer.status} {answer.ending}: {detail}")
        return answer


class WireMock(Server):
    def __init__(self, jar, mappings=None, journal=True):
        self.root = tempfile.mkdtemp(prefix="reprise-wiremock-root.")
        os.makedirs(f"{self.root}/__files")
        if mappings:
            shutil.copytree(mappings, f"{self.root}/mappings")
        else:
            os.makedirs(f"{self.root}/mappings")
        command = [*JAVA, "-jar", jar, "--port", "0", "--root-dir", self.root]
        command += ["--global-response-templating", "--local-response-templating"]
        if not journal:
            command.append("--no-request-journal")
        super().__init__(command, r"^port:\s+(\d+)")

    def replace_files(self, files):
        shutil.rmtree(f"{self.root}/__files")
        if files and os.path.isdir(files):
            shutil.copytree(files, f"{self.root}/__files")
        else:
            os.makedirs(f"{self.root}/__files")

    def stop(self):
        super().stop()
        shutil.rmtree(self.root, ignore_errors=True)


class Mockserver(Server):
    def __init__(self, binary, folder, options=()):
        command = [binary, str(folder), "--port", "0", "--global-response-templating", *options]
        super().__init__(command, r"listening on \S*:(\d+)")


def mapping_files(folder):
    """The mapping files of a folder in the order in which mockserver loads them: by relative path, bytewise."""
    root = Path(folder) / "mappings"
    paths = [path for path in root.rglob("*.json") if path.is_file()]
    return sorted(paths, key=lambda path: os.fsencode(path.relative_to(root).as_posix()))


def stop_all(*servers):
    for server in servers:
        if server:
            server.stop()
