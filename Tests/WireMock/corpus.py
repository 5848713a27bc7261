# SPDX-License-Identifier: Apache-2.0
"""The folders to compare, and the requests to send to them.

A folder NAME has the shape that WireMock's users know (`NAME/mappings`, `NAME/__files`). Next to it, NAME.requests.json
is a list of groups. A group is `{"category": …, "requests": […]}`, and a request is a string (`"GET /path"`) or an object:

    request     the method and the target, as in the string
    headers     an object, or a list of pairs for repeated names
    body        text; or json (a value), base64, gzip (text, sent compressed), parts (multipart), file (in __files)
    repeat      how often to send it; 1 by default
    masks       regular expressions: what they match is not compared, other than by its presence
    atLeast     milliseconds that the answer must take
"""

import base64
import gzip
import json
from pathlib import Path

import http_wire

ROOT = Path(__file__).parent / "corpus"
# Every request has it, so that templates that print the host and the port print the same.
HOST = "api.example.test:8080"
BOUNDARY = "comparison-boundary"


class Exchange:
    """One request of a corpus, with the settings of its comparison."""

    def __init__(self, category, written, files):
        value = {"request": written} if isinstance(written, str) else written
        known = {"request", "headers", "body", "json", "base64", "gzip", "parts", "file", "repeat", "masks", "atLeast"}
        if unknown := set(value) - known:
            raise ValueError(f"{category}: unknown keys {sorted(unknown)} in {written}")
        method, target = value["request"].split(" ", 1)
        headers = value.get("headers", [])
        headers = [list(pair) for pair in (headers.items() if isinstance(headers, dict) else headers)]
        names = {name.lower() for name, _ in headers}
        if "host" not in names:
            headers.insert(0, ["Host", HOST])
        body = b""
        if "body" in value:
            body = value["body"].encode()
        elif "json" in value:
            body = json.dumps(value["json"], ensure_ascii=False).encode()
            if "content-type" not in names:
                headers.append(["Content-Type", "application/json"])
        elif "base64" in value:
            body = base64.b64decode(value["base64"])
        elif "gzip" in value:
            body = gzip.compress(value["gzip"].encode(), mtime=0)
            headers.append(["Content-Encoding", "gzip"])
        elif "file" in value:
            body = (files / value["file"]).read_bytes()
        elif "parts" in value:
            body = multipart(value["parts"])
            if "content-type" not in names:
                headers.append(["Content-Type", f"multipart/form-data; boundary={BOUNDARY}"])
        self.category = category
        self.name = value["request"]
        self.request = http_wire.Request(method, target, headers, body)
        self.masks = value.get("masks", [])
        self.at_least = value.get("atLeast", 0)


def multipart(parts):
    """Encodes parts: objects of `headers` (an object) and `body` (text) or `base64`."""
    data = b""
    for part in parts:
        data += f"--{BOUNDARY}\r\n".encode()
        for name, value in part["headers"].items():
            data += f"{name}: {value}\r\n".encode()
        content = base64.b64decode(part["base64"]) if "base64" in part else part["body"].encode()
        data += b"\r\n" + content + b"\r\n"
    return data + f"--{BOUNDARY}--\r\n".encode()


def names():
    return sorted(path.name for path in ROOT.iterdir() if (path / "mappings").is_dir())


def exchanges(name):
    """The requests of a folder, each with a label of its own."""
    groups = json.loads((ROOT / f"{name}.requests.json").read_text())
    result, seen = [], {}
    for group in groups:
        for written in group["requests"]:
            exchange = Exchange(group["category"], written, ROOT / name / "__files")
            repeat = written.get("repeat", 1) if isinstance(written, dict) else 1
            for _ in range(repeat):
                label = f"{name}: {group['category']}: {exchange.name}"
                seen[label] = seen.get(label, 0) + 1
                result.append((label if seen[label] == 1 else f"{label} #{seen[label]}", exchange))
    return result


def stubs(path):
    """The mappings of one file, as the bodies of requests that create them."""
    data = path.read_bytes()
    try:
        value = json.loads(data)
    except ValueError:
        # Comments and single quotes: one mapping, which WireMock reads itself.
        return [data]
    if isinstance(value, dict) and "mappings" in value:
        return [json.dumps(stub).encode() for stub in value["mappings"]]
    return [data]
