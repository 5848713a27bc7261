# SPDX-License-Identifier: Apache-2.0
"""Records the corpus of secrets with each tool, and prints what each keeps off the disk, keeps, and plays."""

import os
import sys
import tempfile
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from corpus import Client, Exchange, families, places, plain, spelled_out, views
from recorders import VCR, KilledMockserver, Mitmproxy, Mockserver, send


class Upstream(ThreadingHTTPServer):
    """Answers each request with the exchange that the client announced."""

    daemon_threads = True
    exchange = None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        exchange = self.server.exchange
        if self.headers.get("Content-Length"):
            self.rfile.read(int(self.headers["Content-Length"]))
        if exchange is None:
            return self.send_error(404)
        self.send_response_only(exchange.status)
        for name, value in exchange.headers:
            self.send_header(name, value)
        is_chunked = len(exchange.pieces) > 1
        body = b"".join(exchange.pieces)
        if is_chunked:
            self.send_header("Transfer-Encoding", "chunked")
        elif exchange.status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if exchange.status in (204, 304):
            return
        for piece in exchange.pieces:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if is_chunked else piece)
        if is_chunked:
            self.wfile.write(b"0\r\n\r\n")

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = answer

    def log_message(self, *_):
        pass


class Run:
    """One family of the corpus, recorded and played by one tool."""

    def __init__(self, recorder, upstream, family, count, report):
        self.recorder, self.upstream, self.count, self.report = recorder, upstream, count, report
        self.family = family["family"]
        self.cases = list(enumerate(family["cases"]))

    def exchange(self, index, case, client, number):
        return Exchange(case["exchanges"][number], client, f"/{index}", f"{index}.{client.number}.{number}")

    def fail(self, kind, case, detail):
        self.report.append(f"{self.recorder.name}\t{kind}\t{case['class']}\t{self.family}/{case['name']}\t{detail}")
        self.count[kind] += 1

    def record(self):
        port = self.recorder.record()
        self.upstream.exchange = None
        for index, case in self.cases:
            for number in (1, 2) if case.get("users") else (1,):
                client = Client(case, number)
                for position in range(len(case["exchanges"])):
                    exchange = self.exchange(index, case, client, position)
                    self.upstream.exchange = exchange
                    try:
                        send(port, exchange)
                    except Exception as error:
                        self.fail("failed", case, f"recording: {error!r}")
                    port = self.recorder.next_port(port)
        self.upstream.exchange = None
        before = self.recorder.disk()
        self.recorder.stop()
        self.check(before + self.recorder.disk())

    def check(self, disk):
        recorded = {}
        for texts in self.recorder.exchanges():
            marks = [text.split(b": ")[1].decode() for text in texts if text.lower().startswith(b"x-example: ")]
            recorded[marks[0] if marks else ""] = [plain(text) for text in texts]
        everything = [view for file in disk for view in views(file)]
        everything += [view for texts in recorded.values() for view in views(b"\n".join(texts))]
        haystack = b"\n\n".join(everything)
        for index, case in self.cases:
            for number in (1, 2) if case.get("users") else (1,):
                client = Client(case, number)
                for name in case.get("secrets", {}):
                    self.count["secrets"] += 1
                    value = client.value(name).encode()
                    own = [text for mark, texts in recorded.items() if mark.startswith(f"{index}.") for text in texts]
                    # A short secret is elsewhere in so large a file by chance.
                    own = views(b"\n".join(own)) if len(value) < 8 else [haystack]
                    if any(places(view, value) for view in own):
                        self.fail("leak", case, f"{name} = {value.decode()}")
            self.check_innocent_values(index, case, recorded)

    def check_innocent_values(self, index, case, recorded):
        client = Client(case, 1)
        sent = [self.exchange(index, case, client, number).texts() for number in range(len(case["exchanges"]))]
        kept = [recorded.get(f"{index}.1.{number}", []) for number in range(len(case["exchanges"]))]
        for text in case.get("innocent", []):
            self.count["innocent"] += 1
            value = spelled_out(client.fill(text).replace("https://", "").encode())
            expected = sum(places(spelled_out(part), value) for texts in sent for part in texts)
            if sum(places(spelled_out(part), value) for texts in kept for part in texts) < expected:
                self.fail("lost", case, value.decode())

    def play(self):
        port = self.recorder.play()
        for index, case in self.cases:
            if case.get("again") is False:
                continue
            order = [(3, (1,)), (4, (2,)), (4, (2,)), (3, (1,)), (5, (1, 2))] if case.get("users") else [(3, (1,))]
            clients = {}
            for number, users in order:
                client = clients.setdefault(number, Client(case, number))
                for position in range(len(case["exchanges"])):
                    self.play_one(port, index, case, client, position, users)
        self.recorder.stop()

    def play_one(self, port, index, case, client, position, users):
        self.count["replays"] += 1
        try:
            status, fields, body = send(port, self.exchange(index, case, client, position))
        except Exception as error:
            return self.fail("miss", case, f"exchange {position + 1}: {type(error).__name__}")
        mark = next((value for name, value in fields if name.lower() == "x-example"), None)
        if mark not in {f"{index}.{user}.{position}" for user in users}:
            return self.fail("miss", case, f"exchange {position + 1}: {status}, answer {mark}")
        text = "".join(f"{name}: {value}\n" for name, value in fields) + plain(body).decode(errors="replace")
        for name, taken in case["exchanges"][position].get("take", {}).items():
            _, found, rest = text.partition(taken["after"])
            if found:
                client.known[name] = rest.partition(taken["before"])[0]


def main():
    wanted = sys.argv[1:] or ["reprise", "vcrpy", "mitmproxy"]
    upstream = Upstream(("127.0.0.1", 0), Handler)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    report, rows = [], []
    for tool in (Mockserver, VCR, Mitmproxy, KilledMockserver):
        if tool.name.lower() not in wanted:
            continue
        count = Counter()
        for family in families():
            with tempfile.TemporaryDirectory() as folder:
                files = Path(folder) / "files"
                files.mkdir()
                run = Run(tool(files, upstream.server_address[1]), upstream, family, count, report)
                run.record()
                run.play()
        rows.append((tool.name, count))
    if file := os.environ.get("REPRISE_CORPUS_REPORT"):
        Path(file).write_text("\n".join(sorted(report)) + "\n")
    print("| tool | secrets kept off the disk | innocent values kept | replays with other secrets |")
    print("| --- | --- | --- | --- |")
    for name, count in rows:
        cells = [name]
        for total, failure in (("secrets", "leak"), ("innocent", "lost"), ("replays", "miss")):
            kept = count[total] - count[failure]
            cells.append(f"{kept} of {count[total]} ({100 * kept // max(1, count[total])}%)")
        print(f"| {' | '.join(cells)} |")
        if count["failed"]:
            print(f"{name}: {count['failed']} requests failed during the recording", file=sys.stderr)


main()
