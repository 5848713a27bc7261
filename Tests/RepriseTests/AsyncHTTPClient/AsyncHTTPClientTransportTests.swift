// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    import EventIO
    import Reprise
    import TestSupport
    import Testing

    /// What the conformance suite, whose servers speak HTTP/1.1, does not ask.
    @Suite struct AsyncHTTPClientTransportTests {
        @Test func speaksHTTP2WithAServerThatDoes() async throws {
            let authority = try CertificateAuthority()
            var configuration = try TLSServerConfiguration(authority.identity(for: ["127.0.0.1"]))
            configuration.applicationProtocols = ["h2"]
            let context = try TLSContext(server: configuration)
            let server = try await ScriptedServer.start(tls: context) { try await Self.answerInFrames($0) }
            let transport = try #require(TransportUnderTest.asyncHTTPClient.make(trusting: authority))
            // All over one connection.
            for _ in 1...3 {
                let response = try await transport.send(server.request(scheme: "https"))
                #expect(response.status == .ok)
                #expect(try await response.text() == "ok")
            }
            #expect(server.acceptedConnections == 1)
        }

        /// RFC 9110 section 8.6.
        @Test(arguments: [(HTTPRequest.Method.get, nil), (.head, nil), (.delete, nil), (.post, "0")])
        func announcesNoContentWhereNoneIsExpected(method: HTTPRequest.Method, length: String?) async throws {
            let server = try await ScriptedServer.start()
            let transport = try #require(TransportUnderTest.asyncHTTPClient.make())
            async let response = transport.send(server.request(method))
            let connection = try await server.accept()
            #expect(try await connection.readRequestHead()["Content-Length"] == length)
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            _ = try await response
        }

        /// A server of as much HTTP/2 as it takes to answer (RFC 9113).
        private static func answerInFrames(_ connection: RawClient) async throws {
            let preface = try await connection.read(count: 24).text
            #expect(preface == "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            try await connection.send([0, 0, 0, settings, 0, 0, 0, 0, 0])
            while true {
                // Length, type, flags, stream (section 4.1).
                let head = try await connection.read(count: 9).bytes
                let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
                if length > 0 { try await connection.read(count: length) }
                if head[3] == settings, head[4] & 1 == 0 {
                    try await connection.send([0, 0, 0, settings, 1, 0, 0, 0, 0])
                } else if head[3] == headers {
                    // `:status: 200` is 8 in HPACK's table (RFC 7541 appendix A).
                    try await connection.send([0, 0, 1, headers, 4] + head[5...] + [0x88])
                    try await connection.send([0, 0, 2, 0, 1] + head[5...] + Array("ok".utf8))
                }
            }
        }

        private static let headers: UInt8 = 1
        private static let settings: UInt8 = 4
    }
#endif
