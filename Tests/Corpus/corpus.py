# SPDX-License-Identifier: Apache-2.0
"""The corpus of secrets: its cases, filled with the values of a client, and the search for them."""

import base64
import gzip
import html
import json
import random
import re
import string
import urllib.parse
import zlib
from pathlib import Path

CASES = Path(__file__).resolve().parents[1] / "RepriseRecordingTests" / "Corpus" / "Cases"
REFERENCE = re.compile(r"\{\{([A-Za-z0-9:|_-]+)\}\}")
WORDS = "maple harbor violet granite lantern meadow copper saddle thunder pepper window orchard".split()


def families():
    for path in sorted(CASES.glob("*.json")):
        yield json.loads(path.read_text())


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Generator:
    """Generates values that look like those of real APIs; see CorpusGenerator."""

    ALPHABETS = {
        "hex": "0123456789abcdef", "HEX": "0123456789ABCDEF", "base62": string.digits + string.ascii_letters,
        "base36": string.digits + string.ascii_lowercase, "BASE36": string.digits + string.ascii_uppercase,
        "base32": string.ascii_uppercase + "234567", "nano": string.digits + string.ascii_letters + "_-",
        "alpha": string.ascii_lowercase,
    }

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self, alphabet, count):
        return "".join(self.random.choice(alphabet) for _ in range(count))

    def value(self, reference):
        kind, _, count = reference.partition(":")
        count = int(count or 0)
        if kind in self.ALPHABETS:
            return self.text(self.ALPHABETS[kind], count)
        return getattr(self, "make_" + kind)(count)

    def make_digits(self, count):
        return self.text("123456789", 1) + self.text(string.digits, count - 1)

    make_int = make_digits

    def make_pin(self, count):
        return self.text("6789", 1) + self.text("13579", count - 1)

    def make_base64(self, count):
        return base64.b64encode(self.random.randbytes(count)).decode()

    def make_base64url(self, count):
        return base64url(self.random.randbytes(count))

    def make_pem(self, count):
        text = self.make_base64(count)
        return "\n".join(text[start : start + 64] for start in range(0, len(text), 64))

    def make_uuid(self, _):
        text = self.text("0123456789abcdef", 30)
        return f"{text[:8]}-{text[8:12]}-4{text[12:15]}-a{text[15:18]}-{text[18:30]}"

    def make_jwt(self, _):
        issued = 1_795_000_000 + self.random.randrange(90_000)
        claims = json.dumps({"sub": self.text(string.digits, 10), "iat": issued, "exp": issued + 3600})
        parts = [b'{"alg":"HS256","typ":"JWT"}', claims.encode(), self.random.randbytes(32)]
        return ".".join(base64url(part) for part in parts)

    def make_password(self, count):
        core = self.text(string.ascii_uppercase, 1) + self.text(string.ascii_lowercase, 3)
        core += self.text(string.digits, 2) + self.text("!#$*@", 1)
        return core + self.text(self.ALPHABETS["base62"], max(0, count - 7))

    def make_passphrase(self, count):
        return "-".join(self.random.choice(WORDS) for _ in range(count))

    def make_word(self, _):
        return self.random.choice(WORDS)

    def make_unix(self, _):
        return str(1_795_200_000 + self.random.randrange(80_000))

    def make_millis(self, _):
        return self.make_unix(0) + "123"

    def time(self):
        return tuple(self.random.randrange(limit) for limit in (22, 60, 60))

    def make_iso(self, _):
        return "2026-11-21T%02d:%02d:%02dZ" % self.time()

    def make_amzdate(self, _):
        return "20261121T%02d%02d%02dZ" % self.time()

    def make_httpdate(self, _):
        return "Sat, 21 Nov 2026 %02d:%02d:%02d GMT" % self.time()


FILTERS = {
    "percent": lambda text: urllib.parse.quote(text, safe="-._~"),
    "form": lambda text: urllib.parse.quote_plus(text, safe="-._*"),
    "percentall": lambda text: "".join("%%%02X" % byte for byte in text.encode()),
    "json": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "jsonall": lambda text: "".join("\\u%04x" % ord(character) for character in text),
    "slashes": lambda text: text.replace("/", "\\/"),
    "xml": html.escape,
    "htmlall": lambda text: "".join("&#%d;" % ord(character) for character in text),
    "htmlhex": lambda text: "".join("&#x%02x;" % ord(character) for character in text),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64url": lambda text: base64url(text.encode()),
    "gzipbase64": lambda text: base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode(),
    "hex": lambda text: text.encode().hex(),
    "upper": str.upper,
    "last4": lambda text: text[-4:],
    "reverse": lambda text: text[::-1],
}

ENCODINGS = {
    None: str.encode,
    "utf-16le": lambda text: text.encode("utf-16-le"),
    "utf-16be": lambda text: text.encode("utf-16-be"),
    "utf-16": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "utf-8-bom": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "gzip": lambda text: gzip.compress(text.encode(), mtime=0),
    "base64": lambda text: base64.b64decode(text),
}


class Client:
    """The values of one client in a case."""

    def __init__(self, case, number):
        self.case = case
        self.number = number
        self.known = {}

    def value(self, name):
        if name not in self.known:
            own = self.case.get("secrets", {}) | self.case.get("fresh", {})
            template = own[name] if name in own else self.case["values"][name]
            generator = Generator(f"{self.case['name']}/{name}/{self.number if name in own else 0}")
            self.known[name] = REFERENCE.sub(
                lambda match: generator.value(match[1]) if ":" in match[1] else self.spelled(match[1]), template
            )
        return self.known[name]

    def spelled(self, reference):
        name, *filters = reference.split("|")
        text = self.value(name)
        for name in filters:
            text = FILTERS[name](text)
        return text

    def fill(self, text):
        return REFERENCE.sub(lambda match: self.spelled(match[1]), text)


class Exchange:
    """An exchange with the values of one client. `prefix` keeps the requests of a case apart from those of others."""

    def __init__(self, exchange, client, prefix, mark):
        request, response = exchange["request"], exchange.get("response", {})
        self.method = request.get("method", "GET")
        self.url = client.fill(request["url"])
        self.path = prefix + "/" + self.url.split("://", 1)[1]
        self.request_headers = [tuple(client.fill(line).split(": ", 1)) for line in request.get("headers", [])]
        self.request_body = b""
        if "body" in request:
            self.request_body = ENCODINGS[request.get("encoding")](client.fill(request["body"]))
        self.status = response.get("status", 200)
        self.headers = [("X-Example", mark)]
        self.headers += [tuple(client.fill(line).split(": ", 1)) for line in response.get("headers", [])]
        encode = ENCODINGS[response.get("encoding")]
        self.pieces = [encode(client.fill(piece)) for piece in response.get("chunks", [])]
        if "body" in response:
            self.pieces.append(encode(client.fill(response["body"])))
        if "cut" in response:
            whole = b"".join(self.pieces)
            self.pieces = [whole[start:start + response["cut"]] for start in range(0, len(whole), response["cut"])]

    def texts(self):
        """The parts of the exchange, with bodies decompressed and in UTF-8."""
        lines = [f"{name}: {value}".encode() for name, value in self.request_headers + self.headers[1:]]
        return [self.url.encode()] + lines + [plain(self.request_body), plain(b"".join(self.pieces))]


def gunzip(data):
    if data[:2] != b"\x1f\x8b":
        return None
    try:
        return zlib.decompressobj(31).decompress(data)
    except zlib.error:
        return None


def plain(data):
    data = gunzip(data) or data
    return data.replace(b"\0", b"") if data.count(0) * 4 > len(data) else data


def unescape(match):
    code = match[0][1:2]
    if len(match[0]) == 6:
        return chr(int(match[0][2:], 16)).encode(errors="replace")
    return {b"n": b"\n", b"r": b"\r", b"t": b"\t"}.get(code, code)


def spelled_out(data):
    """The bytes without the Unicode escapes of JSON, which other writers of JSON choose differently."""
    return re.sub(rb"\\u[0-9a-fA-F]{4}", unescape, data)


def unbase64(match):
    text = match[0].translate(bytes.maketrans(b"-_", b"+/"))
    text = text[:-1] if len(text) % 4 == 1 else text
    data = base64.b64decode(text + b"=" * (-len(text) % 4))
    return (gunzip(data) or data) + b"\n"


def decodings(data):
    if b"%" in data:
        yield urllib.parse.unquote_to_bytes(data)
    if b"\\" in data:
        yield re.sub(rb"\\(u[0-9a-fA-F]{4}|.)", unescape, data, flags=re.S)
    if b"&" in data:
        yield html.unescape(data.decode("latin-1")).encode("latin-1", errors="ignore")
    yield plain(data)
    yield b"".join(unbase64(match) for match in re.finditer(rb"[A-Za-z0-9+/_-]{8,}", data))


def views(data):
    """The bytes and all their decodings, up to three in a row."""
    known, latest = {data}, [data]
    for _ in range(3):
        latest = list({view for each in latest for view in decodings(each)} - known)
        known.update(latest)
    return known


def places(data, text):
    """The number of places where a text occurs. A short one must stand alone."""
    pattern = re.escape(text)
    if len(text) < 8:
        pattern = rb"(?<![A-Za-z0-9])" + pattern + rb"(?![A-Za-z0-9])" if text[:1].isalnum() else pattern
    return len(re.findall(pattern, data))
