# SPDX-License-Identifier: Apache-2.0
"""Calls every endpoint of the admin API on WireMock and on mockserver, and compares the answers. See run.sh.

Equal means: the same status, and every member of WireMock's JSON is in mockserver's, with a value of the same type. Where
WireMock answers 500 to a mistake of the client, mockserver must answer 400, 404, or 422.
"""

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path

import http_wire
import servers

UNKNOWN = "00000000-0000-0000-0000-000000000000"
FIRST = "11111111-0000-4000-8000-000000000001"
SECOND = "11111111-0000-4000-8000-000000000002"

STUBS = [
    {"id": FIRST, "name": "post", "priority": 3, "request": {"method": "POST", "urlPath": "/a", "queryParameters": {"x": {"equalTo": "1"}}},
     "response": {"status": 201, "body": "hello", "headers": {"X": ["1", "2"], "Content-Type": "text/plain"}}, "metadata": {"k": 1}},
    {"id": SECOND, "request": {"urlPath": "/s"}, "response": {"jsonBody": {"a": [1]}}, "scenarioName": "S",
     "requiredScenarioState": "Started", "newScenarioState": "two"},
    {"request": {"urlPath": "/s"}, "response": {"body": "x"}, "scenarioName": "S", "requiredScenarioState": "two"},
    {"request": {"urlPattern": "/f.*"}, "response": {"fault": "EMPTY_RESPONSE"}},
    {"request": {"headers": {"A": {"contains": "b"}}, "bodyPatterns": [{"equalToJson": "{}"}], "cookies": {"c": {"matches": "d+"}}},
     "response": {"base64Body": "aGk=", "fixedDelayMilliseconds": 5}},
]

TRAFFIC = [
    ("POST", "/a?x=1&y=%20z", b"body", [("Cookie", "c=d; e=f"), ("X-A", "1"), ("X-A", "2")]),
    ("GET", "/s", b"", []),
    ("GET", "/miss?z", b"", []),
    ("GET", "/sss", b"", []),
]

# Method, path below /__admin, and content.
CALLS = [
    ("GET", "/mappings", None),
    ("GET", "/mappings?limit=2", None),
    ("GET", "/mappings?limit=2&offset=1", None),
    ("GET", "/mappings?limit=x", None),
    ("GET", "/mappings?limit=-1", None),
    ("GET", "/mappings?offset=x", None),
    ("GET", f"/mappings/{FIRST}", None),
    ("GET", f"/mappings/{UNKNOWN}", None),
    ("GET", "/mappings/nope", None),
    ("POST", "/mappings", {"request": {"url": "/new"}, "response": {}}),
    ("POST", "/mappings", b""),
    ("POST", "/mappings", b"{"),
    ("POST", "/mappings", b"[]"),
    ("POST", "/mappings", {"requst": {}}),
    ("POST", "/mappings", {"id": "x", "request": {}}),
    ("POST", "/mappings", {"request": {"urlPattern": "("}, "response": {}}),
    ("POST", "/mappings", {"request": {"headers": {"X": {"equls": "1"}}}, "response": {}}),
    ("POST", "/mappings/new", {"request": {"url": "/new2"}, "response": {}}),
    ("POST", "/mappings/edit", {"id": FIRST, **{key: value for key, value in STUBS[0].items() if key != "id"}}),
    ("POST", "/mappings/edit", {"id": UNKNOWN, "request": {"url": "/e"}, "response": {}}),
    ("PUT", f"/mappings/{FIRST}", STUBS[0]),
    ("PUT", f"/mappings/{UNKNOWN}", STUBS[1]),
    ("PUT", f"/mappings/{FIRST}", b"{"),
    ("POST", "/mappings/find-by-metadata", {"matchesJsonPath": "$.k"}),
    ("POST", "/mappings/find-by-metadata", b"{}"),
    ("POST", "/mappings/find-by-metadata", b"{"),
    ("PATCH", "/mappings", {}),
    ("GET", "/nope", None),
    ("GET", "/requests", None),
    ("GET", "/requests?limit=2", None),
    ("GET", "/requests?limit=x", None),
    ("GET", "/requests?since=2020-01-01T00:00:00Z", None),
    ("GET", "/requests?since=2099-01-01T00:00:00Z", None),
    ("GET", "/requests?since=x", None),
    ("GET", f"/requests/{UNKNOWN}", None),
    ("GET", "/requests/x", None),
    ("DELETE", f"/requests/{UNKNOWN}", None),
    ("DELETE", "/requests/x", None),
    ("POST", "/requests/count", {"method": "GET", "urlPath": "/s"}),
    ("POST", "/requests/count", b"{}"),
    ("POST", "/requests/count", b""),
    ("POST", "/requests/count", b"{"),
    ("POST", "/requests/count", {"methud": "x"}),
    ("POST", "/requests/find", {"method": "GET", "urlPath": "/s"}),
    ("POST", "/requests/find", b"{}"),
    ("POST", "/requests/find", b"[]"),
    ("GET", "/requests/unmatched", None),
    ("GET", "/requests/unmatched/near-misses", None),
    ("POST", "/near-misses/request", {"url": "/ss", "absoluteUrl": "http://localhost:1/ss", "method": "GET", "headers": {"A": "b"}, "cookies": {}, "body": ""}),
    ("POST", "/near-misses/request", b"{}"),
    ("POST", "/near-misses/request", b"{"),
    ("POST", "/near-misses/request-pattern", {"method": "GET", "urlPath": "/ss"}),
    ("POST", "/near-misses/request-pattern", b"{"),
    ("POST", "/requests/remove", {"urlPath": "/s"}),
    ("POST", "/requests/remove-by-metadata", {"matchesJsonPath": "$.k"}),
    ("GET", "/scenarios", None),
    ("PUT", "/scenarios/S/state", {"state": "two"}),
    ("PUT", "/scenarios/S/state", {"state": "nope"}),
    ("PUT", "/scenarios/S/state", b""),
    ("PUT", "/scenarios/S/state", b"{"),
    ("PUT", "/scenarios/Z/state", {"state": "two"}),
    ("POST", "/scenarios/reset", b""),
    ("GET", "/settings", None),
    ("POST", "/settings", {"fixedDelay": 1, "delayDistribution": {"type": "uniform", "lower": 1, "upper": 2}}),
    ("GET", "/settings", None),
    ("PUT", "/settings", {"extended": {"a": {"b": 1}}}),
    ("PATCH", "/settings/extended", {"extended": {"c": 2}}),
    ("GET", "/settings", None),
    ("POST", "/settings", b"{"),
    ("POST", "/settings", {"nope": 1}),
    ("POST", "/settings", b"{}"),
    ("GET", "/recordings/status", None),
    ("POST", "/recordings/stop", None),
    ("POST", "/recordings/start", b""),
    ("POST", "/recordings/start", b"{"),
    ("POST", "/recordings/start", b"{}"),
    ("POST", "/recordings/start", {"targetBaseUrl": "http://127.0.0.1:1", "nope": 1}),
    ("POST", "/recordings/start", {"targetBaseUrl": "http://127.0.0.1:1", "captureHeaders": {"Accept": {}, "X-A": {"caseInsensitive": True}}}),
    ("GET", "/recordings/status", None),
    ("POST", "/recordings/start", {"targetBaseUrl": "http://127.0.0.1:1"}),
    ("POST", "/recordings/snapshot", {"outputFormat": "x"}),
    ("POST", "/recordings/snapshot", {"persist": False, "filters": {"urlPath": "/nothing"}}),
    ("POST", "/recordings/snapshot", {"persist": False, "outputFormat": "IDS", "filters": {"urlPath": "/nothing"}}),
    ("POST", "/recordings/stop", None),
    ("GET", "/recordings/status", None),
    ("POST", "/recordings/stop", None),
    ("GET", "/files", None),
    ("PUT", "/files/a/b.txt", b"hi"),
    ("DELETE", "/files/a/b.txt", None),
    ("DELETE", "/files/a/b.txt", None),
    ("GET", "/docs", None),
    ("GET", "/docs/swagger", None),
    ("POST", "/mappings/import", {"mappings": [{"id": FIRST, "request": {"url": "/i"}, "response": {}}], "importOptions": {"duplicatePolicy": "OVERWRITE", "deleteAllNotInImport": False}}),
    ("POST", "/mappings/import", {"mappings": [], "importOptions": {"duplicatePolicy": "NOPE"}}),
    ("POST", "/mappings/import", b"{}"),
    ("POST", "/mappings/remove", {"id": SECOND, "request": {"urlPath": "/s"}, "response": {}}),
    ("POST", "/mappings/remove-by-metadata", {"matchesJsonPath": "$.k"}),
    ("DELETE", f"/mappings/{FIRST}", None),
    ("DELETE", f"/mappings/{UNKNOWN}", None),
    ("DELETE", "/mappings/nope", None),
    ("POST", "/mappings/save", b""),
    ("POST", "/mappings/reset", b""),
    ("POST", "/requests/reset", b""),
    ("DELETE", "/requests", None),
    ("DELETE", "/mappings", None),
    ("POST", "/reset", b""),
    ("GET", "", None),
]

# Calls whose content is not compared.
INTENDED = {
    # The descriptions are those of each server.
    "GET /docs/swagger",
    # WireMock answers with the content in Base64, mockserver with {}.
    "PUT /files/a/b.txt",
}


def shape(value, place=""):
    """The members of a JSON value, with their types."""
    if isinstance(value, dict):
        for key, inner in value.items():
            # WireMock writes expected JSON as a string, mockserver as a value. Both are read.
            kind = "json" if key == "equalToJson" else type(inner).__name__.replace("int", "number").replace("float", "number")
            yield f"{place}/{key}", kind
            yield from shape(inner, f"{place}/{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from shape(inner, f"{place}/*")


def difference(call, wiremock, mockserver):
    label = f"{call[0]} {call[1]}"
    if mockserver.ending != "complete":
        return f"the connection was {mockserver.ending}"
    if wiremock.status == 500:
        return None if mockserver.status in (400, 404, 422) else f"expected 400, 404, or 422, found {mockserver.status}"
    if wiremock.status != mockserver.status:
        return f"expected status {wiremock.status}, found {mockserver.status}: {mockserver.body[:200]!r}"
    if label in INTENDED:
        return None
    try:
        expected = json.loads(wiremock.body)
    except ValueError:
        return None
    found = dict(shape(json.loads(mockserver.body or b"null")))
    missing = [f"{place} ({kind})" for place, kind in dict(shape(expected)).items() if found.get(place) != kind]
    return f"missing: {', '.join(missing)}\n      {mockserver.body[:1500]!r}" if missing else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jar", required=True)
    parser.add_argument("--mockserver", required=True)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="reprise-admin."))
    (folder / "mappings").mkdir()
    (folder / "mappings/file.json").write_text('{"request": {"urlPath": "/file"}}')
    wiremock = servers.WireMock(arguments.jar)
    mockserver = None
    failures = 0
    try:
        mockserver = servers.Mockserver(arguments.mockserver, folder)
        for server in (wiremock, mockserver):
            server.admin("DELETE", "/mappings")
            for stub in STUBS:
                server.admin("POST", "/mappings", stub)
            for method, target, body, headers in TRAFFIC:
                server.send(http_wire.Request(method, target, headers, body))
        for call in CALLS:
            method, path, content = call
            body = b"" if content is None else content if isinstance(content, bytes) else json.dumps(content).encode()
            request = http_wire.Request(method, "/__admin" + path, [("Content-Type", "application/json")], body)
            answers = [server.send(request, 60) for server in (wiremock, mockserver)]
            if found := difference(call, *answers):
                failures += 1
                print(f"{method} {path} {body[:100].decode()}: {found}")
    finally:
        servers.stop_all(wiremock, mockserver)
    print(f"{len(CALLS) - failures} of {len(CALLS)} calls are equal")
    sys.exit(1 if failures else 0)


main()
