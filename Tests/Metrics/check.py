# SPDX-License-Identifier: Apache-2.0
"""Compares what a mock server counts with what it was asked: check.py MOCKSERVER"""

import http.client
import pathlib
import subprocess
import sys
import tempfile

from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_prometheus

OPENMETRICS = "application/openmetrics-text; version=1.0.0"


def get(port, path, accept="*/*"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers={"Accept": accept, "Connection": "close"})
    response = connection.getresponse()
    return response.headers.get("Content-Type"), response.read().decode()


def samples(families):
    """Returns the values by name and labels."""
    return {(s.name, *sorted(s.labels.items())): s.value for family in families for s in family.samples}


def check(port, parse, accept, content_type):
    found_type, text = get(port, "/__admin/metrics", accept)
    assert found_type.startswith(content_type), f"expected {content_type}, found {found_type}"
    values = samples(parse(text))
    duration = "reprise_request_duration_seconds"
    expected = {
        ("reprise_requests_total", ("result", "hit")): 3,
        ("reprise_requests_total", ("result", "stub")): 1,
        ("reprise_requests_total", ("result", "miss")): 2,
        ("reprise_misses_total",): 2,
        ("reprise_fixtures",): 2,
        ("reprise_journal_entries",): 6,
        ("reprise_journal_dropped_total",): 0,
        ("reprise_reloads_total", ("result", "ok")): 0,
        ("reprise_reloads_total", ("result", "failed")): 0,
        (f"{duration}_bucket", ("le", "+Inf")): 6,
        (f"{duration}_count",): 6,
    }
    for key, value in expected.items():
        assert values.get(key) == value, f"{key}: expected {value}, found {values.get(key)}\n{text}"
    assert values[(f"{duration}_sum",)] > 0
    assert any(key[0] == "reprise_build_info" for key in values), text
    print(f"{content_type}: {len(values)} samples")


def main(mockserver):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "hello.get.txt").write_text("hi")
        (root / "mappings").mkdir()
        stub = '{"request": {"url": "/stub"}, "response": {"body": "stub"}}'
        (root / "mappings/stub.json").write_text(stub)
        command = [mockserver, folder, "--port", "0", "--quiet", "--threads", "2"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            port = int(server.stdout.readline().split(" (")[0].rsplit(":", 1)[1])
            for path in ["/hello", "/hello", "/hello", "/stub", "/none", "/none"]:
                get(port, path)
            check(port, parse_openmetrics, OPENMETRICS, "application/openmetrics-text")
            check(port, parse_prometheus, "text/plain", "text/plain; version=0.0.4")
        finally:
            server.terminate()
            server.wait()


main(*sys.argv[1:])
