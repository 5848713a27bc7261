# SPDX-License-Identifier: Apache-2.0
"""Loads a server for a long time while everything about it changes, and checks every answer. See run.sh.

- Readers send pipelined requests to recordings and to stubs. The answer of a stub contains its version, which must be
  newer than the last version whose removal was confirmed before the request was sent.
- Editors add, replace, and remove these stubs. After each answer of the admin API, a request must see the change.
- Visitors open sessions, add a stub for a URL that all of them use, check its answer at each address of
  the session, and close them.
- One client reads the journal.

In the end, the server's own count of requests must be the number of requests sent, and its memory must not have grown.
"""

import argparse
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

KEYS = 64
DEPTH = 16


class Failure(Exception):
    pass


class Connection:
    """A connection that is kept open."""

    def __init__(self, port):
        import socket

        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def send(self, requests):
        self.socket.sendall(b"".join(requests))

    def receive(self):
        """Returns the status and the content of the next answer."""
        while (end := self.buffer.find(b"\r\n\r\n")) < 0:
            self.fill()
        head = self.buffer[:end].lower()
        length = 0
        if (place := head.find(b"content-length:")) >= 0:
            length = int(head[place + 15 :].split(b"\r\n", 1)[0])
        while len(self.buffer) < end + 4 + length:
            self.fill()
        content = self.buffer[end + 4 : end + 4 + length]
        self.buffer = self.buffer[end + 4 + length :]
        return int(head[9:12]), content

    def fill(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise Failure("the server closed the connection")
        self.buffer += data

    def ask(self, method, target, content=None, headers=()):
        body = b"" if content is None else content if isinstance(content, bytes) else json.dumps(content).encode()
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *headers]
        if body or method in ("POST", "PUT"):
            lines.append(f"Content-Length: {len(body)}")
        self.send([("\r\n".join(lines) + "\r\n\r\n").encode() + body])
        return self.receive()

    def admin(self, method, target, content=None, expected=(200, 201)):
        status, body = self.ask(method, "/__admin" + target, content)
        if status not in expected:
            raise Failure(f"{method} {target}: {status} {body[:300]!r}")
        return json.loads(body) if body else None

    def close(self):
        self.socket.close()


def get(target):
    return f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def reader(port, count, removed, sent, failures, seed):
    """Sends `count` requests to recordings and stubs."""
    generator = random.Random(seed)
    connection = Connection(port)
    fixtures = [get(f"/fixture/{number}") for number in range(100)]
    stubs = [get(f"/live/{key}") for key in range(KEYS)]
    try:
        done = 0
        while done < count:
            size = min(DEPTH, count - done)
            choices = [generator.randrange(-100, KEYS) for _ in range(size)]
            # Noted before the requests begin.
            floors = [removed[key] if key >= 0 else 0 for key in choices]
            connection.send([stubs[key] if key >= 0 else fixtures[key + 100] for key in choices])
            for key, floor in zip(choices, floors):
                status, content = connection.receive()
                if key < 0:
                    if status != 200 or content != b"fixture %d" % (key + 100):
                        raise Failure(f"/fixture/{key + 100}: {status} {content[:100]!r}")
                elif status == 200:
                    if int(content) <= floor:
                        raise Failure(f"/live/{key}: version {int(content)}, of which {floor} was removed before")
                elif status != 404:
                    raise Failure(f"/live/{key}: {status} {content[:100]!r}")
            done += size
    except Exception as error:
        failures.put(f"reader: {error!r}")
    with sent.get_lock():
        sent.value += done


def editor(port, keys, removed, checked, stop, failures):
    """Adds, replaces, and removes the stubs of some keys, and checks each change at once."""
    try:
        connection, other = Connection(port), Connection(port)
        version = {key: 0 for key in keys}

        def mapping(key):
            version[key] += 1
            return {"request": {"method": "GET", "url": f"/live/{key}"}, "response": {"body": str(version[key])}}

        def expect(key, expected):
            status, content = other.ask("GET", f"/live/{key}")
            with checked.get_lock():
                checked.value += 1
            found = int(content) if status == 200 else None
            if found != expected:
                raise Failure(f"/live/{key}: expected {expected}, found {found}")

        while not stop.is_set():
            for key in keys:
                id = connection.admin("POST", "/mappings", mapping(key))["id"]
                expect(key, version[key])
                connection.admin("PUT", f"/mappings/{id}", mapping(key))
                removed[key] = version[key] - 1
                expect(key, version[key])
                connection.admin("DELETE", f"/mappings/{id}")
                removed[key] = version[key]
                expect(key, None)
                if stop.is_set():
                    break
    except Exception as error:
        failures.put(f"editor: {error!r}")


def visit(port, text, checks, expectedCount=True):
    """Uses one session, like one test. Returns the number of requests to the server's own port."""
    connection = Connection(port)
    session = connection.admin("POST", "/reprise/sessions", {})
    id = session["id"]
    own = Connection(int(session["url"].rsplit(":", 1)[1]))
    stub = {"request": {"method": "GET", "url": "/same"}, "response": {"body": text}}
    own.admin("POST", "/mappings", stub)
    prefix = f"/__session/{id}"
    for _ in range(checks):
        answers = [
            own.ask("GET", "/same"),
            connection.ask("GET", prefix + "/same"),
            connection.ask("GET", "/same", headers=[f"Reprise-Session: {id}"]),
        ]
        for answer in answers:
            if answer != (200, text.encode()):
                raise Failure(f"session {text}: {answer}")
    count = own.admin("POST", "/requests/count", {"url": "/same"})["count"]
    if expectedCount and count != 3 * checks:
        raise Failure(f"session {text}: expected {3 * checks} requests, found {count}")
    connection.admin("DELETE", f"/reprise/sessions/{id}")
    if connection.ask("GET", prefix + "/same")[0] != 404:
        raise Failure(f"session {text}: answered after its end")
    own.close()
    connection.close()
    return 3 * checks + 1


def visitor(port, name, checked, sessions, stop, failures):
    number = 0
    try:
        while not stop.is_set():
            number += 1
            # The journal is full and drops the requests of sessions too.
            count = visit(port, f"{name}-{number}", 3, expectedCount=False)
            with checked.get_lock():
                checked.value += count
            with sessions.get_lock():
                sessions.value += 1
    except Exception as error:
        failures.put(f"visitor: {error!r}")


def journal_reader(port, reads, stop, failures):
    try:
        connection = Connection(port)
        while not stop.is_set():
            connection.admin("GET", "/requests?limit=100")
            connection.admin("POST", "/requests/count", {"urlPattern": "/live/.*"})
            connection.admin("GET", "/requests/unmatched")
            reads.value += 3
            stop.wait(0.2)
    except Exception as error:
        failures.put(f"journal: {error!r}")


def resident(process):
    """The memory of a process in MiB."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        return 0.0
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def requests_counted(connection):
    text = connection.ask("GET", "/__admin/metrics")[1].decode()
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith("reprise_requests_total{"))


def soak(port, process, count, readers):
    removed = multiprocessing.RawArray("Q", KEYS)
    failures = multiprocessing.Queue()
    sent, checked, sessions, reads = (multiprocessing.Value("Q", 0) for _ in range(4))
    stop = multiprocessing.Event()
    half = KEYS // 2
    helpers = [
        multiprocessing.Process(target=editor, args=(port, range(half), removed, checked, stop, failures)),
        multiprocessing.Process(target=editor, args=(port, range(half, KEYS), removed, checked, stop, failures)),
        multiprocessing.Process(target=visitor, args=(port, "a", checked, sessions, stop, failures)),
        multiprocessing.Process(target=visitor, args=(port, "b", checked, sessions, stop, failures)),
        multiprocessing.Process(target=journal_reader, args=(port, reads, stop, failures)),
    ]
    for helper in helpers:
        helper.start()
    begin = time.monotonic()
    memory = []
    rounds = 10
    for number in range(rounds):
        share = count // rounds // readers
        group = [
            multiprocessing.Process(target=reader, args=(port, share, removed, sent, failures, number * readers + place))
            for place in range(readers)
        ]
        for each in group:
            each.start()
        for each in group:
            each.join()
        memory.append(resident(process))
    stop.set()
    for helper in helpers:
        helper.join()
    seconds = time.monotonic() - begin
    found = []
    while not failures.empty():
        found.append(failures.get())
    total = sent.value + checked.value
    counted = requests_counted(Connection(port))
    print(
        f"{total} requests, {checked.value} of them to check a change; {sessions.value} sessions; {reads.value} reads of the "
        f"journal; {seconds:.0f} s"
    )
    print("memory in MiB: " + " ".join(f"{each:.1f}" for each in memory))
    if counted != total:
        found.append(f"the server counted {counted:.0f} requests of {total}")
    # The first tenth fills the journal.
    if memory[-1] > memory[1] * 1.1 + 4:
        found.append(f"memory grew from {memory[1]:.1f} to {memory[-1]:.1f} MiB")
    return found


def parallel(port, runs, tests):
    found = []
    begin = time.monotonic()
    for run in range(runs):
        barrier = threading.Barrier(tests)

        def test(number):
            try:
                barrier.wait()
                visit(port, f"{run}-{number}", 2)
            except Exception as error:
                found.append(f"run {run}, test {number}: {error!r}")

        threads = [threading.Thread(target=test, args=(number,)) for number in range(tests)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if found:
            break
    print(f"{runs} runs of {tests} parallel tests, a session each: {len(found)} mixed up; {time.monotonic() - begin:.0f} s")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mockserver", required=True)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--readers", type=int, default=2)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--tests", type=int, default=50)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="reprise-soak.") as folder:
        for number in range(100):
            path = Path(folder) / f"fixture/{number}.get.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"fixture {number}")
        port_file = Path(folder) / "_port"
        command = [arguments.mockserver, folder, "--quiet", "--port", "0", "--port-file", str(port_file)]
        process = subprocess.Popen(
            [*command, "--threads", str(arguments.threads), "--journal-entries", "2000", "--journal-bytes", "1000000"],
            stdout=subprocess.DEVNULL,
        )
        try:
            while not port_file.exists() or not port_file.read_text().strip():
                if process.poll() is not None:
                    sys.exit("the server did not start")
                time.sleep(0.05)
            port = int(port_file.read_text())
            failures = soak(port, process, arguments.requests, arguments.readers)
            failures += parallel(port, arguments.runs, arguments.tests)
            print(f"memory in MiB at the end: {resident(process):.1f}")
        finally:
            process.terminate()
            status = process.wait(20)
    if status != 0:
        failures.append(f"the server ended with {status}")
    for failure in failures[:20]:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


main()
