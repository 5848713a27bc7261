// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    import RepriseLocking
    import Reprise
    import RepriseTestSupport
    import Testing

    /// Behavior that the conformance suite doesn't cover, because its servers use HTTP/1.1.
    @Suite struct AsyncHTTPClientTransportTests {
        @Test func sendsRequestsOverOneHTTP2Connection() async throws {
            let framed = try await FramedServer.start { stream in
                (Frame.ok(stream) + Frame.data("ok", on: stream, isLast: true), false)
            }
            for _ in 1...3 {
                let response = try await framed.send()
                #expect(response.status == .ok)
                #expect(try await response.text() == "ok")
            }
            #expect(framed.server.acceptedConnections == 1)
        }

        /// Content-Length of a request without content (RFC 9110 section 8.6).
        @Test(arguments: [(HTTPRequest.Method.get, nil), (.head, nil), (.delete, nil), (.post, "0")])
        func emptyRequestHasContentLengthOnlyForPOST(method: HTTPRequest.Method, length: String?) async throws {
            let server = try await ScriptedServer.start()
            let transport = try #require(TransportUnderTest.asyncHTTPClient.make())
            async let response = transport.send(server.request(method))
            let connection = try await server.accept()
            #expect(try await connection.readRequestHead()["Content-Length"] == length)
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            _ = try await response
        }

        @Test(arguments: [
            (1, "the HTTP/2 stream was reset without a response (PROTOCOL_ERROR)"),
            (2, "the HTTP/2 stream was reset without a response (INTERNAL_ERROR)"),
            (7, "the server refused the request without processing it (REFUSED_STREAM)"),
        ])
        func reportsStreamResetBeforeHead(code: UInt8, text: String) async throws {
            let framed = try await FramedServer.start { (Frame.reset($0, code: code), false) }
            let error = await #expect(throws: TransportError.self) { try await framed.send() }
            #expect(error?.code == .reset)
            #expect(error?.isConnectivity == true)
            #expect(error?.message == "https://127.0.0.1:\(framed.server.port): \(text)")
        }

        @Test func reportsStreamResetInBody() async throws {
            let framed = try await FramedServer.start { stream in
                let begin = Frame.ok(stream) + Frame.data("half", on: stream, isLast: false)
                return (begin + Frame.reset(stream, code: 2), false)
            }
            let error = await #expect(throws: TransportError.self) { try await framed.send().text() }
            #expect(error?.code == .reset)
            #expect(error?.isConnectivity == true)
        }

        @Test func retriesResetStream() async throws {
            let attempts = Locked(0)
            let framed = try await FramedServer.start { stream in
                let attempt = attempts.withLock { attempts in
                    attempts += 1
                    return attempts
                }
                let answer = Frame.ok(stream) + Frame.data("ok", on: stream, isLast: true)
                return (attempt == 1 ? Frame.reset(stream, code: 1) : answer, false)
            }
            let client = Client("https://127.0.0.1:\(framed.server.port)", transport: framed.transport)
            let text = try await client.get("/").retry(.fixed(attempts: 2, delay: .zero)).send().text
            #expect(text == "ok")
            #expect(attempts.withLock { $0 } == 2)
        }

        @Test(arguments: [UInt8(0), 2])
        func reportsConnectionEndBeforeHead(code: UInt8) async throws {
            let framed = try await FramedServer.start { _ in (Frame.goAway(last: 0, code: code), true) }
            let error = await #expect(throws: TransportError.self) { try await framed.send() }
            #expect(error?.code == .reset)
        }

        @Test func reportsConnectionEndInBody() async throws {
            let framed = try await FramedServer.start { stream in
                (Frame.ok(stream) + Frame.data("half", on: stream, isLast: false), true)
            }
            let error = await #expect(throws: TransportError.self) { try await framed.send().text() }
            #expect(error.map { [.reset, .truncated].contains($0.code) } == true, "\(error as Any)")
        }

        @Test func reportsMalformedHeadAsReset() async throws {
            // `:method`, which belongs in requests, instead of `:status` (RFC 9113 section 8.3.2): SwiftNIO resets the
            // stream.
            let framed = try await FramedServer.start { ([0, 0, 1, Frame.headers, 4] + $0 + [0x82], false) }
            let error = await #expect(throws: TransportError.self) { try await framed.send() }
            #expect(error?.code == .reset)
            #expect(error?.message.hasSuffix("(PROTOCOL_ERROR)") == true)
        }
    }
#endif
