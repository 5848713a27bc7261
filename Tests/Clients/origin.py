# SPDX-License-Identifier: Apache-2.0
"""A server for https and http on one port: origin.py CERTIFICATE-AND-KEY PORT-FILE

The port, which is a free one, is written to PORT-FILE.
"""
import hashlib
import http.server
import json
import os
import socket
import ssl
import sys
import threading

S3 = b"""<?xml version="1.0" encoding="UTF-8"?>
<ListAllMyBucketsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Owner><ID>1</ID></Owner>
<Buckets><Bucket><Name>hello</Name></Bucket></Buckets></ListAllMyBucketsResult>"""
CHAT = {"id": "1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hello"}}]}
MESSAGE = {"id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
           "content": [{"type": "text", "text": "hello"}], "usage": {"input_tokens": 1, "output_tokens": 1}}
REFS = b"1111111111111111111111111111111111111111\trefs/heads/hello\n"
DEB = b"hello"
PACKAGES = f"""Package: hello
Version: 1
Architecture: all
Filename: ./hello_1_all.deb
Size: {len(DEB)}
SHA256: {hashlib.sha256(DEB).hexdigest()}
""".encode()


class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path
        status, kind, body = 200, "application/json", b'{"message": "hello"}'
        if path == "/v1/chat/completions":
            body = json.dumps(CHAT).encode()
        elif path == "/v1/messages":
            body = json.dumps(MESSAGE).encode()
        elif path.startswith("/repo.git/info/refs"):
            kind, body = "text/plain", REFS
        elif path.startswith("/repo.git/HEAD"):
            kind, body = "text/plain", b"ref: refs/heads/hello\n"
        elif path.startswith("/apt/"):
            file = {"Packages": PACKAGES, "hello_1_all.deb": DEB}.get(path.rsplit("/", 1)[1])
            status, kind, body = 200 if file else 404, "text/plain", file or b"not found"
        elif "AWS4" in self.headers.get("Authorization", ""):
            kind, body = "application/xml", S3
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_HEAD = answer

    def log_message(self, *_):
        pass


class Either(Origin):
    def setup(self):
        # The first byte decides: 22 begins a TLS handshake.
        if self.request.recv(1, socket.MSG_PEEK) == b"\x16":
            self.request = context.wrap_socket(self.request, server_side=True)
        super().setup()


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Either)
with open(sys.argv[2] + ".new", "w") as file:
    file.write(str(server.server_port))
os.rename(sys.argv[2] + ".new", sys.argv[2])
threading.Thread(target=server.serve_forever).start()
