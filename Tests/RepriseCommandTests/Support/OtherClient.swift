// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An HTTP client that others wrote, run as a process. Its parser is not that of the server, so it notices framing that
/// both would get wrong in the same way.
enum OtherClient: String, CaseIterable {
    case python3, curl, node

    /// The path of the program; nil if it is not installed.
    var path: String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(rawValue)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The versions of HTTP that the client can be told to use.
    var versions: [String] { self == .node ? ["1.1"] : ["1.0", "1.1"] }

    /// Sends a request, and writes the content of the answer to standard output as it arrives. The exit status is 0 if
    /// the client calls the answer complete and valid, and its status is 200.
    func send(
        _ method: String = "GET",
        _ path: String,
        _ body: String = "",
        version: String,
        port: Int
    ) throws -> MockServerProcess {
        try MockServerProcess(arguments(method, path, body, version, port), program: self.path)
    }

    private func arguments(
        _ method: String,
        _ path: String,
        _ body: String,
        _ version: String,
        _ port: Int
    ) -> [String] {
        switch self {
        case .python3: ["-c", Self.pythonProgram, version, method, "\(port)", path, body]
        case .curl:
            ["-sS", "-N", "--fail-with-body", "--http\(version)", "-X", method]
                + (body.isEmpty ? [] : ["--data-binary", body])
                + ["http://127.0.0.1:\(port)\(path)"]
        case .node: ["-e", Self.nodeProgram, "--", method, "\(port)", path, body]
        }
    }

    /// After a complete answer, the connection must serve another request if it stays open.
    private static let pythonProgram = """
        import http.client, sys
        version, method, port, path, body = sys.argv[1:]
        connection = http.client.HTTPConnection("127.0.0.1", int(port))
        if version == "1.0":
            connection._http_vsn, connection._http_vsn_str = 10, "HTTP/1.0"
        connection.request(method, path, body.encode() or None, {"Host": "127.0.0.1"})
        answer = connection.getresponse()
        if answer.status != 200:
            sys.exit(f"status {answer.status}")
        if version == "1.0" and answer.getheader("Transfer-Encoding"):
            sys.exit("a client of HTTP/1.0 got a transfer coding")
        while piece := answer.read1(65536):
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
        answer.close()
        if not answer.will_close:
            connection.request("GET", "/hello")
            if connection.getresponse().read() != b"hi":
                sys.exit("the connection cannot be used again")
        """

    private static let nodeProgram = """
        const [method, port, path, body] = process.argv.slice(1);
        const agent = new (require('http').Agent)({keepAlive: true});
        const fail = error => { console.error(error); process.exit(1); };
        const send = (method, path, body, take, end) => require('http')
            .request({host: '127.0.0.1', port, method, path, agent}, answer => {
                if (answer.statusCode !== 200) fail(`status ${answer.statusCode}`);
                answer.on('data', take).on('end', end).on('error', fail);
            }).on('error', fail).end(body);
        send(method, path, body, data => process.stdout.write(data), () => setImmediate(() =>
            send('GET', '/hello', '', () => {}, () => agent.destroy())));
        """
}
