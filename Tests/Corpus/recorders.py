# SPDX-License-Identifier: Apache-2.0
"""The tools that record the corpus: each keeps its files in a folder and plays them afterwards."""

import base64
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import vcr
from mitmproxy import io as mitmproxy_io

# What a careful user lists for the other tools, which know no names on their own.
HEADERS = ["Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "Api-Key", "X-Auth-Token", "X-Auth",
           "X-Access-Token", "Private-Token", "X-Vault-Token", "X-Amz-Security-Token", "X-Shopify-Access-Token"]
PARAMETERS = ["api_key", "apikey", "key", "token", "access_token", "refresh_token", "id_token", "client_secret",
              "password", "secret", "code", "code_verifier", "signature", "sig", "X-Amz-Signature", "X-Amz-Credential",
              "X-Amz-Security-Token", "private_token", "session", "otp", "pin"]


class Recorder:
    """Records through a process in front of the upstream, and plays its file through another."""

    def __init__(self, folder, upstream):
        self.folder = Path(folder)
        self.upstream = upstream
        self.process = None

    def start(self, *command):
        with open(self.folder.parent / "log", "ab") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)

    def next_port(self, port):
        """Called after each recorded exchange; returns the port for the next one."""
        return port

    def disk(self):
        return [path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file()]


def wait_for(port):
    for _ in range(600):
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
    sys.exit("expected a server on a port, found none after 30 seconds")


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class Mockserver(Recorder):
    name = "Reprise"

    def __init__(self, folder, upstream):
        super().__init__(folder, upstream)
        self.cassette = self.folder / "corpus.cassette.json"

    def record(self):
        return self.run("record", f"http://127.0.0.1:{self.upstream}", "--out", self.cassette, "--mode", "overwrite")

    def play(self):
        return self.run("serve", self.cassette)

    def run(self, *arguments):
        ready = self.folder.parent / "port"
        ready.unlink(missing_ok=True)
        self.start(os.environ["MOCKSERVER"], *map(str, arguments), "--port", "0", "--port-file", str(ready), "--quiet",
                   "--no-admin")
        for _ in range(3000):
            if ready.exists() and ready.read_text().strip():
                return int(ready.read_text())
            time.sleep(0.01)
        sys.exit("expected mockserver to be ready after 30 seconds, found no port; see its messages")

    def exchanges(self):
        for exchange in json.loads(self.cassette.read_text())["exchanges"]:
            request, response = exchange["request"], exchange.get("response", {})
            lines = [self.line(line) for line in request.get("headers", []) + response.get("headers", [])]
            yield [request["url"].encode()] + lines + [self.body(request.get("body")), self.body(response)]

    @staticmethod
    def line(line):
        return line.encode() if isinstance(line, str) else base64.b64decode(line["base64"])

    def body(self, body):
        if not isinstance(body, dict):
            return b""
        if "body" in body:
            return self.body(body["body"])
        if "stream" in body:
            return b"".join(self.body(step) for step in body["stream"])
        if "text" in body:
            return body["text"].encode()
        if "base64" in body:
            return base64.b64decode(body["base64"])
        if "file" in body:
            return (self.folder / "corpus.cassette.bodies" / body["file"]).read_bytes()
        if "json" in body:
            return json.dumps(body["json"], separators=(",", ":"), ensure_ascii=False).encode()
        return b""


class KilledMockserver(Mockserver):
    """Ends the recorder with kill -9 after each exchange, and starts it again."""

    name = "killed"

    def next_port(self, port):
        self.process.kill()
        self.process.wait()
        return self.record()


class Mitmproxy(Recorder):
    name = "mitmproxy"
    program = str(Path(sys.executable).with_name("mitmdump"))

    def __init__(self, folder, upstream):
        super().__init__(folder, upstream)
        self.flows = self.folder / "corpus.flows"

    def options(self):
        names = "|".join(re.escape(name) for name in PARAMETERS)
        for name in HEADERS:
            yield from ["--modify-headers", f"@~q & ~hq '^{name}:'@{name}@redacted"]
        yield from ["--modify-headers", "@~s & ~hs '^Set-Cookie:'@Set-Cookie@redacted"]
        yield from ["--modify-body", f"@(?i)(\"[a-z_]*({names})\"\\s*:\\s*\")[^\"]*@\\1redacted"]
        yield from ["--modify-body", f"@(?i)((^|&)({names})=)[^&]*@\\1redacted"]

    def record(self):
        port = free_port()
        self.start(self.program, "-q", "--mode", f"reverse:http://127.0.0.1:{self.upstream}@{port}", "-w",
                   str(self.flows), *self.options())
        wait_for(port)
        return port

    def play(self):
        port = free_port()
        # Requests are compared before they are changed, so parameters and bodies must not count.
        ignored = [part for name in PARAMETERS for part in ("--set", f"server_replay_ignore_params={name}")]
        self.start(self.program, "-q", "--mode", f"reverse:http://127.0.0.1:{self.upstream}@{port}",
                   "--server-replay", str(self.flows), "--server-replay-extra", "404",
                   "--set", "server_replay_reuse=true", "--set", "server_replay_refresh=false",
                   "--set", "server_replay_ignore_content=true", *ignored,
                   *self.options())
        wait_for(port)
        return port

    def exchanges(self):
        with open(self.flows, "rb") as file:
            for flow in mitmproxy_io.FlowReader(file).stream():
                fields = list(flow.request.headers.fields) + list(flow.response.headers.fields if flow.response else [])
                lines = [name + b": " + value for name, value in fields]
                body = flow.response.raw_content if flow.response else b""
                yield [flow.request.url.encode()] + lines + [flow.request.raw_content or b"", body or b""]


class VCR(Recorder):
    name = "vcrpy"

    def __init__(self, folder, upstream):
        super().__init__(folder, upstream)
        self.cassette = self.folder / "corpus.yaml"
        self.vcr = vcr.VCR(filter_headers=HEADERS, filter_query_parameters=PARAMETERS,
                           filter_post_data_parameters=PARAMETERS)

    def use(self, mode):
        self.context = self.vcr.use_cassette(str(self.cassette), record_mode=mode, allow_playback_repeats=True)
        self.used = self.context.__enter__()
        return self.upstream

    def record(self):
        return self.use("all")

    def play(self):
        return self.use("none")

    def stop(self):
        self.context.__exit__(None, None, None)

    def exchanges(self):
        from vcr.serialize import deserialize
        from vcr.serializers import yamlserializer
        requests, responses = deserialize(self.cassette.read_text(), yamlserializer)
        for request, response in zip(requests, responses):
            headers = list(request.headers.items())
            headers += [(name, value) for name, values in response["headers"].items() for value in values]
            lines = [f"{name}: {value}".encode() for name, value in headers]
            body = request.body or b""
            body = body.encode() if isinstance(body, str) else bytes(body)
            yield [request.uri.encode()] + lines + [body, response["body"]["string"] or b""]


def send(port, exchange):
    """Sends a request, and returns the status, the head, and the content of the response."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        headers = dict(exchange.request_headers)
        body = exchange.request_body or None
        connection.request(exchange.method, exchange.path, body=body, headers=headers)
        response = connection.getresponse()
        fields = response.getheaders()
        return response.status, fields, response.read()
    finally:
        connection.close()
