# SPDX-License-Identifier: Apache-2.0
"""Serves each folder of the corpus with WireMock and with mockserver, and compares their answers. See run.sh."""

import argparse
import base64
import json
import sys
import time
from collections import Counter
from pathlib import Path

import comparison
import corpus
import servers

EXPECTED = Path(__file__).parent / "expected-differences.json"


def load(wiremock, folder):
    """Gives WireMock the stubs of a folder, in the order in which mockserver loads them; a later one is newer."""
    wiremock.admin("POST", "/reset")
    wiremock.admin("DELETE", "/mappings")
    wiremock.replace_files(folder / "__files")
    # It is asked last. WireMock's own answer to a miss compares all stubs, and one that fails makes it an error 500.
    wiremock.admin("POST", "/mappings", comparison.MISS)
    stubs, refused = {}, []
    for path in servers.mapping_files(folder):
        for body in corpus.stubs(path):
            try:
                stub = json.loads(wiremock.admin("POST", "/mappings", body).body)
                stubs[stub["id"]] = stub
            except RuntimeError as problem:
                refused.append(f"{path.relative_to(folder)}: {problem}")
    return stubs, refused


def ask(server, exchange):
    begin = time.monotonic()
    answer = server.send(exchange.request)
    return answer, time.monotonic() - begin


def dumped(label, answer):
    try:
        body = {"body": answer.content().decode()}
    except UnicodeDecodeError:
        body = {"base64": base64.b64encode(answer.content()).decode()}
    headers = [[name, value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")] for name, value in answer.headers]
    return {"request": label, "status": answer.status, "reason": answer.reason, "ending": answer.ending, "headers": headers, **body}


class Report:
    def __init__(self, expected):
        self.expected = {entry["request"]: entry["reason"] for entry in expected}
        self.total, self.equal, self.spelled = Counter(), Counter(), Counter()
        self.not_compared, self.unexpected, self.known = [], [], []
        self.seen = set()

    def add(self, label, exchange, found, by_value):
        category = label.rsplit(": ", 1)[0]
        self.seen.add(label)
        self.total[category] += 1
        if found is None:
            self.equal[category] += 1
            self.spelled[category] += by_value
        elif label in self.expected:
            self.known.append((label, found))
        else:
            self.unexpected.append((label, found))

    def stale(self):
        """The expected differences that no longer exist."""
        differing = {label for label, _ in self.known}
        return [label for label in self.expected if label in self.seen and label not in differing]

    def print(self):
        print()
        for category in self.total:
            equal, total = self.equal[category], self.total[category]
            note = f"  ({self.spelled[category]} by the value of JSON only)" if self.spelled[category] else ""
            print(f"{'  ' if equal == total else '! '}{category:44} {equal:4} of {total:4}{note}")
        total, equal = sum(self.total.values()), sum(self.equal.values())
        print(f"\n{equal} of {total} answers are equal ({100 * equal / max(total, 1):.2f} %).")
        if self.not_compared:
            print(f"{len(self.not_compared)} requests to which WireMock answers with its own error were not compared.")
        for title, entries in (("Expected differences", self.known), ("Unexpected differences", self.unexpected)):
            if entries:
                print(f"\n{title}:")
            for label, found in entries:
                print(f"- {label}\n    {found}")
                if label in self.expected:
                    print(f"    reason: {self.expected[label]}")
        for label in self.stale():
            print(f"\nNo longer different; remove it from {EXPECTED.name}: {label}")


def compare(name, wiremock, options, report, dump):
    folder = corpus.ROOT / name
    stubs, refused = load(wiremock, folder)
    for problem in refused:
        print(f"WireMock refused a mapping of {name}: {problem}", file=sys.stderr)
    if refused:
        return False
    mockserver = servers.Mockserver(options.mockserver, folder) if options.mockserver else None
    try:
        for label, exchange in corpus.exchanges(name):
            answer, elapsed = ask(wiremock, exchange)
            if dump is not None:
                dump.append(dumped(label, answer))
            if not mockserver:
                continue
            found, time_taken = ask(mockserver, exchange)
            if comparison.Reading(answer).is_own_error:
                report.not_compared.append(label)
                if options.verbose and found.status != answer.status:
                    print(f"not compared: {label}: WireMock {answer.status}, mockserver {found.status} {found.ending}")
                continue
            stub = stubs.get(answer.value("Matched-Stub-Id"))
            timed = time_taken if elapsed * 1000 >= exchange.at_least else None
            report.add(label, exchange, *comparison.difference(exchange, stub, answer, found, timed))
        return True
    finally:
        servers.stop_all(mockserver)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jar", required=True)
    parser.add_argument("--mockserver", help="the program; without it, only WireMock is asked")
    parser.add_argument("--only", action="append", choices=corpus.names(), help="compare one folder; repeatable")
    parser.add_argument("--threshold", type=float, default=99, help="the share of equal answers, in percent")
    parser.add_argument("--dump", help="write WireMock's answers to a file")
    parser.add_argument("--verbose", action="store_true", help="also print where both servers fail differently")
    options = parser.parse_args()
    if not options.mockserver and not options.dump:
        parser.error("expected --mockserver or --dump")

    report = Report(json.loads(EXPECTED.read_text()))
    dump = [] if options.dump else None
    passed = True
    wiremock = servers.WireMock(options.jar)
    try:
        for name in options.only or corpus.names():
            try:
                passed &= compare(name, wiremock, options, report, dump)
            except RuntimeError as problem:
                print(f"{name}: {problem}", file=sys.stderr)
                passed = False
    finally:
        servers.stop_all(wiremock)
    if dump is not None:
        Path(options.dump).write_text(json.dumps(dump, indent=1, ensure_ascii=False))
        print(f"{len(dump)} answers of WireMock are in {options.dump}.")
    if options.mockserver:
        report.print()
        share = 100 * sum(report.equal.values()) / max(sum(report.total.values()), 1)
        passed &= share >= options.threshold and not report.unexpected
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
