#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Feeds generated connections to our request parser and to llhttp, and prints where they differ, by class.

Tests/Fuzz/compare_llhttp.py [count] [seed]; needs `pip install httptools` and swiftc. README.md explains each class.
Fails if both accept a connection but read different messages from it, or if llhttp rejects what we accept for a reason
that is not in EXPLAINED.
"""
import os
import random
import subprocess
import sys
from collections import Counter

import httptools

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DRIVER = os.path.join(ROOT, ".build", "fuzz", "verdict")

# Why llhttp may reject what we accept; README.md has the reasons.
EXPLAINED = [
    "Invalid method encountered",
    "Expected space after method",
    "Invalid HTTP version",
    "Content-Length can't be present with Transfer-Encoding",  # In trailers.
    "Invalid character in chunk size",
    "Invalid character in chunk extensions",
    "Invalid char in url",
    "Request has invalid `Transfer-Encoding`",
]

METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "PATCH", "BREW", "get", "X-1"]
TARGETS = ["/", "/a/b?c=d", "*", "h:80", "http://h/p?q", "/%41?", "//x", "/\xe9", "/a#b", "/{|}", "a", "/\"<>", "http://u@h/",
           "/a?b?c", "https://h", "/\\", "http://[::1]:80/"]
VERSIONS = ["HTTP/1.1"] * 8 + ["HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1.10", "HTTP/1"]
LINES = ["A: b", "Accept:", "X-Y: \t z \t", "Connection: close", "Connection: keep-alive", "Connection: TE, close",
         "Content-Type: a/b", "Expect: 100-continue", "Cookie: a=b; c=d", "E: \xff\x80", "Host: a, b", "Host: h",
         "Content-Length: 0", "Content-Length: 5, 5", "Content-Length: +5", "Transfer-Encoding: gzip",
         "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: xchunked", "Transfer-Encoding: identity", "A : b",
         "A\tB: c", ": d", " folded", "\tfolded", "A", "A: \x00", "A: \x01", "A: \x7f", "(: a", "A: b\rc", "A: b\nC: d",
         "Proxy-Connection: close", "Keep-Alive: 5", "Expect: x", "Transfer-Encoding: chunked, chunked"]
SPECIAL = "\r\n\t \x00:;,=\"0a/?#*%\x7f\x80+-_"


def body(rng):
    kind = rng.randrange(5)
    if kind == 0:
        return "\r\n"
    if kind == 1:
        count = rng.randrange(12)
        return f"Content-Length: {count}\r\n\r\n" + "b" * count
    text = rng.choice(["Transfer-Encoding: chunked", "transfer-encoding:Chunked", "Transfer-Encoding:  chunked "])
    text += "\r\n\r\n"
    for _ in range(rng.randrange(4)):
        count = rng.randrange(1, 20)
        size = rng.choice(["{:x}", "{:X}", "0{:x}", "{:017x}", "0x{:x}", "+{:x}", "{:x} "] if rng.random() < .1 else ["{:x}"])
        extension = rng.choice([""] * 30 + [";a", ";a=b", " ; a = b", ";a=\"b;\\\"\"", ";a;b=c", ";", ";a=", ";a=\"\n\"", ";\x00"])
        text += size.format(count) + extension + "\r\n" + "c" * count + rng.choice(["\r\n"] * 30 + ["\n", ""])
    return text + rng.choice(["0\r\n\r\n"] * 20 + ["00\r\n\r\n", "0;a\r\n\r\n", "0\r\nT: u\r\n\r\n", "0\r\nT : u\r\n\r\n",
                                                  "0\r\nContent-Length: 5\r\n\r\n", "0\n\n", "-0\r\n\r\n", "0\r\n"])


def connection(rng):
    text = ""
    for _ in range(rng.randrange(1, 4)):
        usual = rng.random() < .85
        text += rng.choice([""] * 8 + ["\r\n"])
        text += rng.choice(METHODS[:5] if usual else METHODS) + " " + rng.choice(TARGETS[:2] if usual else TARGETS)
        text += " " + rng.choice(VERSIONS[:8] if usual else VERSIONS) + "\r\n"
        if rng.random() < .97:
            text += "Host: " + rng.choice(["h"] * 20 + ["", "h:80", "[::1]", "a b", "a/b", "u@h"]) + "\r\n"
        for _ in range(rng.randrange(3)):
            text += rng.choice(LINES[:9] if usual else LINES) + "\r\n"
        text += body(rng)
    if rng.random() < .3:
        for _ in range(rng.randrange(1, 3)):
            index = rng.randrange(len(text))
            text = text[:index] + rng.choice(SPECIAL) * rng.randrange(2) + text[index + rng.randrange(2):]
    return text.encode("latin-1")


class Reader:
    """What llhttp makes of a connection, byte by byte, in the driver's notation."""

    def __init__(self):
        self.parser = httptools.HttpRequestParser(self)
        self.messages = []
        self.is_closed = False

    def on_message_begin(self):
        self.url, self.fields, self.body, self.in_trailers = b"", "", b"", False

    def on_url(self, part):
        self.url += part

    def on_header(self, name, value):
        if not self.in_trailers:
            # httptools hands a value on without its leading white space only.
            self.fields += name.hex() + "=" + (value or b"").rstrip(b" \t").hex() + ","

    def on_headers_complete(self):
        self.in_trailers = True
        self.method = self.parser.get_method()
        self.version = self.parser.get_http_version()

    def on_body(self, part):
        self.body += part

    def on_message_complete(self):
        self.messages.append(f"{self.method.hex()} {self.url.hex()} {self.version} {self.fields} {self.body.hex()}")
        self.is_closed = not self.parser.should_keep_alive()

    def verdict(self, data):
        try:
            for index in range(len(data)):
                self.parser.feed_data(data[index:index + 1])
                if self.is_closed:
                    return self.messages, "close"
        except httptools.HttpParserUpgrade:
            return self.messages, "upgrade"
        except httptools.HttpParserError as error:
            return self.messages, f"error {error}"
        return self.messages, "more"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    os.makedirs(os.path.dirname(DRIVER), exist_ok=True)
    sources = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(ROOT, "Sources", "RepriseWire"))
               for name in names if name.endswith(".swift")]
    subprocess.run(["swiftc", "-O", "-swift-version", "6", "-parse-as-library", "-module-name", "VerdictDriver", *sources,
                    os.path.join(ROOT, "Tests", "Fuzz", "VerdictDriver.swift"), "-o", DRIVER], check=True)
    cases = [connection(rng) for _ in range(count)]
    output = subprocess.run([DRIVER], input="".join(case.hex() + "\n" for case in cases), capture_output=True, text=True,
                            check=True).stdout.splitlines()
    classes, examples, bad = Counter(), {}, False
    for case, line in zip(cases, output, strict=True):
        *ours, our_end = line.split("|")
        theirs, their_end = Reader().verdict(case)
        name, is_bad = classify(ours, our_end, theirs, their_end)
        classes[name] += 1
        bad |= is_bad
        if len(case) < len(examples.get(name, case + b"x")):
            examples[name] = case
    for name, number in sorted(classes.items(), key=lambda entry: -entry[1]):
        print(f"{number:7} {name}")
        if not name.startswith("same"):
            print(f"        {examples[name]!r}")
    sys.exit(1 if bad else 0)


def classify(ours, our_end, theirs, their_end):
    if their_end == "upgrade":
        # llhttp hands the connection over at CONNECT; we answer it like any request, and read its body.
        theirs.pop()
    common = min(len(ours), len(theirs))
    if ours[:common] != theirs[:common]:
        return "DIFFERENT messages", True
    if their_end == "upgrade":
        return "same up to CONNECT", False
    we_fail, they_fail = our_end.startswith("error"), their_end.startswith("error")
    if we_fail and they_fail:
        return "same: both reject", False
    if we_fail:
        return f"stricter: {our_end[6:]}", False
    if our_end == "close" and their_end != "close" and len(ours) <= len(theirs):
        return "stricter: closes after Transfer-Encoding in HTTP/1.0", False
    if they_fail:
        return f"laxer: {their_end[6:]}", not any(known in their_end for known in EXPLAINED)
    if ours != theirs or our_end != their_end:
        # llhttp takes Proxy-Connection for Connection.
        return f"OTHER end: ours {our_end}, theirs {their_end}", their_end != "close"
    return "same: both accept", False


main()
