// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    import RepriseIO
    import Reprise
    import RepriseTestSupport
    import Testing

    /// A minimal HTTP/2 server (RFC 9113), and a transport that trusts it.
    struct FramedServer {
        let server: ScriptedServer
        let transport: any Transport

        /// - Parameter answer: returns the frames that answer a stream, and whether the connection closes after them.
        static func start(
            answer: @escaping @Sendable (_ stream: [UInt8]) -> (frames: [UInt8], isLast: Bool)
        ) async throws -> FramedServer {
            let authority = try CertificateAuthority()
            var configuration = try TLSServerConfiguration(authority.identity(for: ["127.0.0.1"]))
            configuration.applicationProtocols = ["h2"]
            let context = try TLSContext(server: configuration)
            let server = try await ScriptedServer.start(tls: context) { try await play(on: $0, answer) }
            let transport = try #require(TransportUnderTest.asyncHTTPClient.make(trusting: authority))
            return FramedServer(server: server, transport: transport)
        }

        func send() async throws -> Response {
            // Long enough that no test depends on it.
            let options = RequestOptions(timeout: .seconds(180))
            return try await transport.send(server.request(scheme: "https"), body: nil, options: options)
        }

        private static func play(
            on connection: RawClient,
            _ answer: (_ stream: [UInt8]) -> (frames: [UInt8], isLast: Bool)
        ) async throws {
            let preface = try await connection.read(count: 24).text
            #expect(preface == "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            try await connection.send([0, 0, 0, Frame.settings, 0, 0, 0, 0, 0])
            while true {
                // Length, type, flags, stream (section 4.1).
                let head = try await connection.read(count: 9).bytes
                let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
                if length > 0 { try await connection.read(count: length) }
                if head[3] == Frame.settings, head[4] & 1 == 0 {
                    try await connection.send([0, 0, 0, Frame.settings, 1, 0, 0, 0, 0])
                } else if head[3] == Frame.headers {
                    let answer = answer(Array(head[5...]))
                    try await connection.send(answer.frames)
                    if answer.isLast { return }
                }
            }
        }
    }

    /// Frames of HTTP/2 (RFC 9113 section 6).
    enum Frame {
        static let headers: UInt8 = 1
        static let settings: UInt8 = 4

        /// `:status: 200`, which is 8 in HPACK's table (RFC 7541 appendix A).
        static func ok(_ stream: [UInt8]) -> [UInt8] { [0, 0, 1, headers, 4] + stream + [0x88] }

        static func data(_ text: String, on stream: [UInt8], isLast: Bool) -> [UInt8] {
            [0, 0, UInt8(text.utf8.count), 0, isLast ? 1 : 0] + stream + Array(text.utf8)
        }

        /// RST_STREAM.
        static func reset(_ stream: [UInt8], code: UInt8) -> [UInt8] { [0, 0, 4, 3, 0] + stream + [0, 0, 0, code] }

        /// GOAWAY: no stream after `last` was processed.
        static func goAway(last: UInt8, code: UInt8) -> [UInt8] {
            [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, last, 0, 0, 0, code]
        }
    }
#endif
