# SPDX-License-Identifier: Apache-2.0
"""A small HTTP/1.1 client that sends exactly the bytes it is given and keeps every header line that it receives."""

import gzip
import socket
import zlib
from dataclasses import dataclass, field


@dataclass
class Answer:
    """What a server answered: a complete response, or how the connection ended without one."""

    status: int = 0
    reason: str = ""
    headers: list = field(default_factory=list)
    body: bytes = b""
    ending: str = "complete"

    def values(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def value(self, name):
        values = self.values(name)
        return values[0] if values else None

    def content(self):
        """The body without its content coding."""
        coding = (self.value("Content-Encoding") or "").lower()
        try:
            if coding == "gzip":
                return gzip.decompress(self.body)
            if coding == "deflate":
                return zlib.decompress(self.body)
        except (OSError, zlib.error, EOFError):
            pass
        return self.body


@dataclass
class Request:
    method: str
    target: str
    headers: list = field(default_factory=list)
    body: bytes = b""

    def encoded(self, host):
        names = {name.lower() for name, _ in self.headers}
        lines = [f"{self.method} {self.target} HTTP/1.1"]
        if "host" not in names:
            lines.append(f"Host: {host}")
        lines += [f"{name}: {value}" for name, value in self.headers]
        has_body = self.body or self.method in ("POST", "PUT", "PATCH")
        if has_body and not names & {"content-length", "transfer-encoding"}:
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + self.body


class Reader:
    def __init__(self, connection):
        self.connection, self.buffer = connection, b""

    def more(self):
        data = self.connection.recv(65536)
        if not data:
            raise EOFError
        self.buffer += data

    def until(self, mark):
        while mark not in self.buffer:
            self.more()
        line, self.buffer = self.buffer.split(mark, 1)
        return line

    def exactly(self, count):
        while len(self.buffer) < count:
            self.more()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def rest(self):
        try:
            while True:
                self.more()
        except EOFError:
            data, self.buffer = self.buffer, b""
            return data


def send(port, request, timeout=10, connection=None):
    """Sends one request on a connection of its own, or on `connection`, and reads the whole answer."""
    answer, own = Answer(), connection is None
    if own:
        connection = socket.create_connection(("127.0.0.1", port), timeout)
    reader = Reader(connection)
    try:
        connection.sendall(request.encoded(f"127.0.0.1:{port}"))
        receive(reader, request.method, answer)
    except EOFError:
        answer.ending = "closed"
    except ConnectionError:
        answer.ending = "reset"
    except socket.timeout:
        answer.ending = "timeout"
    except ValueError as problem:
        answer.ending = f"unreadable: {problem}"
    finally:
        if reader.buffer and answer.ending != "complete":
            answer.body += reader.buffer
        if own:
            connection.close()
    return answer


def receive(reader, method, answer):
    while True:
        first = reader.until(b"\r\n").decode("latin-1")
        if not first.startswith("HTTP/1."):
            raise ValueError(f"status line {first[:60]!r}")
        parts = first.split(" ", 2)
        answer.status, answer.reason = int(parts[1]), parts[2] if len(parts) > 2 else ""
        answer.headers = []
        while line := reader.until(b"\r\n"):
            name, _, value = line.decode("utf-8", "surrogateescape").partition(":")
            answer.headers.append((name, value.strip()))
        if answer.status >= 200 or answer.status == 101:
            break
    if method == "HEAD" or answer.status in (204, 304):
        return
    if "chunked" in (answer.value("Transfer-Encoding") or "").lower():
        while size := int(reader.until(b"\r\n").split(b";")[0], 16):
            answer.body += reader.exactly(size)
            reader.exactly(2)
        while reader.until(b"\r\n"):
            pass
    elif (length := answer.value("Content-Length")) is not None:
        answer.body = reader.exactly(int(length))
    else:
        answer.body = reader.rest()
