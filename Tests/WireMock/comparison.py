# SPDX-License-Identifier: Apache-2.0
"""Decides whether two answers to one request are equal.

Equal means: the status, the header lines that the stub gives, Content-Type, and the decoded body, with JSON compared by
value. Not compared: the header fields that describe the connection or the server, the bodies of misses, and requests to
which WireMock answers with its own error 500.
"""

import json
import re
from decimal import Decimal

# Framing, and what each server says about itself.
NEVER = {
    "connection",
    "content-encoding",
    "content-length",
    "date",
    "keep-alive",
    "matched-stub-id",
    "matched-stub-name",
    "server",
    "transfer-encoding",
    "vary",
}

# WireMock's stub that stands for a miss. mockserver doesn't have it.
MISS = {"priority": 2147483647, "response": {"status": 404, "headers": {"Comparison": "miss"}}}


class Reading:
    """How an answer of WireMock is compared."""

    def __init__(self, answer):
        complete = answer.ending == "complete"
        self.is_miss = complete and answer.values("Comparison") == ["miss"]
        self.is_answered_by_stub = bool(answer.values("Matched-Stub-Id")) and not self.is_miss
        self.is_own_error = complete and not self.is_answered_by_stub and answer.status in (400, 500)
        self.is_fault = not complete


def difference(exchange, stub, wiremock, mockserver, elapsed=None):
    """The difference, in one sentence, or None. The second value is whether only the spelling of JSON differs."""
    reading = Reading(wiremock)
    if reading.is_fault:
        return fault_difference(wiremock, mockserver), False
    if mockserver.ending != "complete":
        return f"expected status {wiremock.status}, but the connection was {mockserver.ending}", False
    if mockserver.status != wiremock.status:
        kind = "a miss" if reading.is_miss else f"status {wiremock.status}"
        return f"expected {kind}, found status {mockserver.status}: {excerpt(mockserver.content())}", False
    if reading.is_miss:
        if mockserver.values("Matched-Stub-Id"):
            return "expected a miss, found an answer of a stub", False
        return None, False
    if reading.is_answered_by_stub and mockserver.status == 404 and not mockserver.values("Matched-Stub-Id"):
        return "expected an answer of a stub, found a miss", False
    if found := header_difference(exchange, stub, wiremock, mockserver):
        return found, False
    if elapsed is not None and elapsed * 1000 < exchange.at_least:
        return f"expected {exchange.at_least} ms at least, found {elapsed * 1000:.0f} ms", False
    return body_difference(exchange, wiremock.content(), mockserver.content())


def fault_difference(wiremock, mockserver):
    def shape(answer):
        ending = "reset" if answer.ending == "reset" else answer.ending if answer.ending == "complete" else "broken"
        return f"{ending}, {f'status {answer.status}' if answer.status else 'no status'}"

    if shape(wiremock) == shape(mockserver) and bool(wiremock.body) == bool(mockserver.body):
        return None
    return f"expected a fault ({shape(wiremock)}, {len(wiremock.body)} bytes), found {shape(mockserver)}, {len(mockserver.body)} bytes"


def header_difference(exchange, stub, wiremock, mockserver):
    response = (stub or {}).get("response") or {}
    if "statusMessage" in response and wiremock.reason != mockserver.reason:
        return f"expected the reason {wiremock.reason!r}, found {mockserver.reason!r}"
    for name in {name.lower() for name in response.get("headers") or {}} | {"content-type"}:
        if name in NEVER:
            continue
        expected = [masked(value, exchange.masks) for value in wiremock.values(name)]
        found = [masked(value, exchange.masks) for value in mockserver.values(name)]
        # WireMock sends ISO 8859-1, which http_wire keeps as surrogate escapes.
        if expected != found and [latin(value) for value in expected] != [latin(value) for value in found]:
            return f"expected {name} {expected}, found {found}"
    return None


def latin(value):
    raw = value.encode("utf-8", "surrogateescape")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def body_difference(exchange, expected, found):
    if exchange.masks:
        expected, found = (masked(body.decode("utf-8", "replace"), exchange.masks).encode() for body in (expected, found))
    # WireMock renders files that are not text too, and replaces their bytes that are not UTF-8. mockserver keeps them.
    if expected in (found, found.decode("utf-8", "replace").encode()):
        return None, False
    values = [json_value(expected), json_value(found)]
    if values[0] is not None and values[0] == values[1]:
        return None, True
    return f"expected the body {excerpt(expected, found)}, found {excerpt(found, expected)}", False


def masked(text, masks):
    for mask in masks:
        text = re.sub(mask, "…", text)
    return text


def json_value(data):
    """The value, in a form in which numbers are equal by value and true is not 1; None if it is not JSON."""

    def number(text):
        return ("number", Decimal(text).normalize() if Decimal(text).is_finite() else text)

    def tagged(value):
        if isinstance(value, bool):
            return ("boolean", value)
        if isinstance(value, list):
            return [tagged(item) for item in value]
        if isinstance(value, dict):
            return {key: tagged(item) for key, item in value.items()}
        return value

    try:
        return tagged(json.loads(data, parse_int=number, parse_float=number))
    except (ValueError, RecursionError):
        return None


def excerpt(data, other=None):
    """The data around the place where it begins to differ."""
    begin = 0
    if other is not None and len(data) > 160:
        same = next((place for place, pair in enumerate(zip(data, other)) if pair[0] != pair[1]), min(len(data), len(other)))
        begin = max(0, same - 60)
    piece = data[begin : begin + 160].decode("utf-8", "replace")
    return f"{'…' if begin else ''}{piece!r}{'…' if begin + 160 < len(data) else ''}"
