# SPDX-License-Identifier: Apache-2.0
"""Measures the CPU time per request of WireMock and of mockserver, warm, with few and with many mappings. See run.sh.

The load comes from wrk over a fixed list of URLs. The CPU time is that of the server's process and its children, from
/proc, so this runs on Linux only. Compare the two, measured on the same machine; the numbers alone mean little.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import http_wire
import servers

TICKS = os.sysconf("SC_CLK_TCK")

SCRIPT = """
local targets = {}
for line in io.lines("%s") do targets[#targets + 1] = line end
local place = math.random(#targets)
request = function()
    place = place %% #targets + 1
    return wrk.format("GET", targets[place])
end
local failed = 0
response = function(status) if status ~= 200 then failed = failed + 1 end end
"""


def children(process):
    """A process and all its descendants."""
    found = [process]
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            for child in task.read_text().split():
                found += children(int(child))
        except OSError:
            pass
    return found


def cpu_seconds(process):
    total = 0
    for member in children(process):
        try:
            fields = Path(f"/proc/{member}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        except OSError:
            pass
    return total / TICKS


def mapping(number):
    """One mapping of many. Every tenth has conditions besides the path, and every hundredth a regular expression."""
    request = {"method": "GET", "urlPath": f"/v1/items/{number}"}
    if number % 10 == 3:
        request["queryParameters"] = {"page": {"equalTo": "1"}}
    if number % 100 == 7:
        del request["urlPath"]
        request["urlPathPattern"] = f"/v1/items/{number}/[a-z]+"
    response = {
        "status": 200,
        "headers": {"Content-Type": "application/json"},
        "jsonBody": {"id": number, "name": f"Item {number}", "tags": ["a", "b"], "price": 9.5},
    }
    return {"request": request, "response": response}


def target(number):
    suffix = "?page=1" if number % 10 == 3 else "/abc" if number % 100 == 7 else ""
    return f"/v1/items/{number}{suffix}"


def wrk(options, port, script, seconds):
    command = [options.wrk, "-t1", f"-c{options.connections}", f"-d{seconds}s", "-s", script, f"http://127.0.0.1:{port}"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output:
        print(output, file=sys.stderr)
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    return requests


def measure(options, server, script):
    wrk(options, server.port, script, options.warm)
    begin = cpu_seconds(server.process.pid)
    requests = wrk(options, server.port, script, options.seconds)
    spent = cpu_seconds(server.process.pid) - begin
    memory = sum(resident(member) for member in children(server.process.pid))
    return spent / max(requests, 1) * 1e6, requests / options.seconds, memory


def resident(process):
    try:
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
        return int(found.group(1)) / 1024 if found else 0
    except OSError:
        return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jar", required=True)
    parser.add_argument("--mockserver", help="the program; without it, only WireMock is measured")
    parser.add_argument("--wrk", default=shutil.which("wrk"), help="the load generator")
    parser.add_argument("--mappings", type=int, nargs="+", default=[10, 1000, 100_000])
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--warm", type=int, default=8, help="seconds of load before the measurement")
    parser.add_argument("--connections", type=int, default=8)
    options = parser.parse_args()
    if not options.wrk:
        parser.error("expected wrk; install it (apt-get install wrk)")

    print("| mappings | server | CPU per request | requests per second | memory | ready after |")
    print("|---:|---|---:|---:|---:|---:|")
    for count in options.mappings:
        folder = Path(tempfile.mkdtemp(prefix="reprise-wiremock-cpu."))
        try:
            compare(options, count, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def compare(options, count, folder):
    mappings = [mapping(number) for number in range(count)]
    (folder / "mock" / "mappings").mkdir(parents=True)
    (folder / "mock" / "mappings" / "all.json").write_text(json.dumps({"mappings": mappings}))
    # Evenly spread over the mappings, so that the order in which they are searched doesn't matter.
    step = max(1, count // 2000)
    (folder / "targets").write_text("".join(f"{target(number)}\n" for number in range(0, count, step)))
    script = folder / "load.lua"
    script.write_text(SCRIPT % (folder / "targets"))
    results = {}
    for name in ("WireMock", "mockserver"):
        if name == "mockserver" and not options.mockserver:
            continue
        begin = time.monotonic()
        if name == "WireMock":
            server = servers.WireMock(options.jar, folder / "mock" / "mappings", journal=False)
        else:
            server = servers.Mockserver(options.mockserver, folder / "mock")
        try:
            ready = time.monotonic() - begin
            first = server.send(http_wire.Request("GET", target(count - 1)))
            if first.status != 200:
                raise RuntimeError(f"{name} answered {first.status} to {target(count - 1)}")
            results[name] = measure(options, server, str(script))
        finally:
            server.stop()
        cpu, rate, memory = results[name]
        print(f"| {count:,} | {name} | {cpu:.1f} µs | {rate:,.0f} | {memory:.0f} MB | {ready:.1f} s |", flush=True)
    if len(results) == 2:
        ratio = results["WireMock"][0] / max(results["mockserver"][0], 0.001)
        print(f"| {count:,} | ratio | {ratio:.1f} | | | |", flush=True)


if __name__ == "__main__":
    main()
