# SPDX-License-Identifier: Apache-2.0
"""Compares mockserver with WireMock on random mappings and requests, and shrinks the cases that differ. See run.sh."""

import argparse
import copy
import json
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

import comparison
import servers
from generator import Generator


# How Java prints an object that has no text of its own: WireMock's templates show such details of Java by mistake.
JAVA_OBJECT = re.compile(rb"@[0-9a-f]{5,8}\b")


class Plain:
    """The settings of a comparison for a request without masks."""

    masks, at_least = [], 0


class Comparison:
    def __init__(self, options):
        self.options = options
        self.wiremock = servers.WireMock(options.jar)
        self.folder = Path(tempfile.mkdtemp(prefix="reprise-wiremock-random."))
        self.asked = self.matched = self.skipped = 0

    def close(self):
        self.wiremock.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def differences(self, groups):
        """Sends the requests to both servers. Yields the group, the request, and the difference.

        If mockserver refuses the mappings of a group, the request is None.
        """
        self.wiremock.admin("POST", "/reset")
        self.wiremock.admin("DELETE", "/mappings")
        self.wiremock.admin("POST", "/mappings", comparison.MISS)
        shutil.rmtree(self.folder / "mappings", ignore_errors=True)
        (self.folder / "mappings").mkdir()
        stubs, accepted = {}, []
        for number, group in enumerate(groups):
            added = []
            for mapping in group[0]:
                try:
                    added.append(json.loads(self.wiremock.admin("POST", "/mappings", mapping).body))
                except RuntimeError:
                    break
            if len(added) < len(group[0]):
                for stub in added:
                    self.wiremock.admin("DELETE", f"/mappings/{stub['id']}")
                continue
            stubs.update({stub["id"]: stub for stub in added})
            accepted.append(group)
            path = self.folder / "mappings" / f"{number:04}.json"
            path.write_text(json.dumps({"mappings": group[0]}, ensure_ascii=False))
        if not accepted:
            return
        try:
            mockserver = servers.Mockserver(self.options.mockserver, self.folder)
        except RuntimeError as problem:
            if len(groups) == 1:
                yield groups[0], None, f"mockserver refuses what WireMock accepts: {str(problem)[-600:]}"
            else:
                for half in (groups[: len(groups) // 2], groups[len(groups) // 2 :]):
                    yield from self.differences(half)
            return
        try:
            for group in accepted:
                for request in group[1]:
                    found = self.difference(mockserver, request, stubs)
                    if found:
                        yield group, request, found
        finally:
            mockserver.stop()

    def difference(self, mockserver, request, stubs):
        self.asked += 1
        expected, found = self.wiremock.send(request), mockserver.send(request)
        reading = comparison.Reading(expected)
        if reading.is_own_error or JAVA_OBJECT.search(expected.content()):
            self.skipped += 1
            return None
        self.matched += reading.is_answered_by_stub
        return comparison.difference(Plain, stubs.get(expected.value("Matched-Stub-Id")), expected, found)[0]

    def first_difference(self, mappings, request):
        for _, _, found in self.differences([(mappings, [request] if request else [])]):
            return found
        return None

    def shrink(self, mappings, request, found, limit=150):
        """The smallest mappings and request found for which the answers still differ."""
        tries, progress = 0, True
        while progress and tries < limit:
            progress = False
            for smaller, smaller_request in smaller_cases(mappings, request):
                tries += 1
                if tries > limit:
                    break
                if again := self.first_difference(smaller, smaller_request):
                    mappings, request, found, progress = smaller, smaller_request, again, True
                    break
        return mappings, request, found


def smaller_cases(mappings, request):
    for place in range(len(mappings)):
        if len(mappings) > 1:
            yield mappings[:place] + mappings[place + 1 :], request
    for place in range(len(mappings)):
        for smaller in smaller_values(mappings[place], protected={"request", "response", "status"}):
            yield mappings[:place] + [smaller] + mappings[place + 1 :], request
    if not request:
        return
    for place, (name, _) in enumerate(request.headers):
        if name != "Host":
            yield mappings, changed(request, headers=request.headers[:place] + request.headers[place + 1 :])
    path, _, query = request.target.partition("?")
    pairs = query.split("&") if query else []
    for place in range(len(pairs)):
        rest = "&".join(pairs[:place] + pairs[place + 1 :])
        yield mappings, changed(request, target=f"{path}?{rest}" if rest else path)
    try:
        value = json.loads(request.body)
    except ValueError:
        value = None
    if value is not None:
        for smaller in smaller_values(value):
            yield mappings, changed(request, body=json.dumps(smaller, ensure_ascii=False).encode())
    if request.body:
        yield mappings, changed(request, body=b"")


def smaller_values(value, protected=frozenset()):
    """The value with one part left out, or with one part made smaller."""
    if isinstance(value, dict):
        for key in value:
            if key not in protected:
                yield {name: item for name, item in value.items() if name != key}
        for key, item in value.items():
            for smaller in smaller_values(item, protected):
                yield {**value, key: smaller}
    elif isinstance(value, list):
        for place in range(len(value)):
            yield value[:place] + value[place + 1 :]
        for place, item in enumerate(value):
            for smaller in smaller_values(item, protected):
                yield value[:place] + [smaller] + value[place + 1 :]
    elif isinstance(value, str) and "{{" in value:
        # A template: without one of its pieces.
        starts = [place for place in range(len(value)) if value.startswith("{{", place)]
        for start in starts:
            end = value.find("}}", start)
            if end > 0:
                yield value[:start] + value[end + 2 + value[end + 2 :].startswith("}") :]
        if starts and starts[0] > 0:
            yield value[starts[0] :]
        if not value.endswith("}}"):
            yield value[: value.rfind("}}") + 2]


def changed(request, **fields):
    result = copy.copy(request)
    for name, value in fields.items():
        setattr(result, name, value)
    return result


def show(mappings, request, found):
    print("\nDifference: " + found)
    for mapping in mappings:
        print("    mapping: " + json.dumps(mapping, ensure_ascii=False))
    if request:
        print(f"    request: {request.method} {request.target}")
        for name, value in request.headers:
            if name != "Host":
                print(f"             {name}: {value}")
        if request.body:
            print(f"             {request.body.decode('utf-8', 'replace')}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jar", required=True)
    parser.add_argument("--mockserver", required=True)
    parser.add_argument("--seed", type=int, help="repeats a run")
    parser.add_argument("--batches", type=int, default=10, help="how many folders of mappings to try")
    parser.add_argument("--groups", type=int, default=60, help="how many paths a folder has")
    parser.add_argument("--show", type=int, default=10, help="how many differences to shrink and print")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    print(f"seed {seed}")

    comparison_run, shown, total = Comparison(options), 0, 0
    try:
        for batch in range(options.batches):
            generator = Generator(random.Random(f"{seed}/{batch}"))
            groups = [generator.group(number) for number in range(options.groups)]
            differing = list(comparison_run.differences(groups))
            total += len(differing)
            seen = set()
            for (mappings, _), request, found in differing:
                if shown < options.show and id(mappings) not in seen:
                    seen.add(id(mappings))
                    shown += 1
                    asked = comparison_run.asked, comparison_run.matched, comparison_run.skipped
                    show(*comparison_run.shrink(mappings, request, found))
                    comparison_run.asked, comparison_run.matched, comparison_run.skipped = asked
    finally:
        comparison_run.close()
    print(
        f"\nseed {seed}: {comparison_run.asked} requests, {comparison_run.matched} answered by a mapping, "
        f"{comparison_run.skipped} not compared because of WireMock's own errors; {total} differ."
    )
    sys.exit(1 if total else 0)


if __name__ == "__main__":
    main()
