// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    import RepriseIO
    import RepriseTestSupport
    import Testing

    @testable import Reprise
    @testable import RepriseAsyncHTTPClient

    /// The messages of failures.
    @Suite struct AsyncHTTPClientExchangeTests {
        private let transport = AsyncHTTPClientTransport()

        @Test func failureNamesOriginWithoutSecrets() {
            let request = HTTPRequest(
                method: .get,
                scheme: "https",
                authority: "ann:pass@[::1]:8443",
                path: "/x?token=secret"
            )
            let error = PendingRequest(request: request, options: RequestOptions())
                .failure(CancellationError(), isInBody: false)
            #expect(error.description == "cancelled: https://[::1]:8443: the request was canceled")
            #expect(error.underlying is CancellationError)
        }

        @Test func reportsRefusedConnection() async throws {
            let server = try await ScriptedServer.start()
            await server.stopListening()
            let error = await #expect(throws: TransportError.self) { try await transport.send(server.request()) }
            let address = "127.0.0.1:\(server.port)"
            #expect(error?.code == .connectionRefused)
            #expect(
                error?.message
                    == "http://\(address): no connection: connection refused: no server listens there"
            )
            #expect(error?.underlying != nil)
        }

        @Test func reportsUnresolvedHostName() async throws {
            // No such name can exist (RFC 6761 section 6.4).
            let request = HTTPRequest(method: .get, scheme: "http", authority: "nowhere.invalid", path: "/")
            let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
            #expect(error?.message.hasPrefix("http://nowhere.invalid: cannot resolve nowhere.invalid: ") == true)
        }

        @Test(arguments: [
            (RequestOptions.TimeoutScope.head, "the head of the response"), (.wholeResponse, "the response"),
        ])
        func timeoutBeforeHeadNamesDuration(scope: RequestOptions.TimeoutScope, awaited: String) async throws {
            let server = try await ScriptedServer.start()
            let options = RequestOptions(timeout: .milliseconds(20), timeoutScope: scope)
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(server.request(), body: nil, options: options)
            }
            #expect(error?.code == .timedOut)
            #expect(
                error?.message
                    == "http://127.0.0.1:\(server.port): \(awaited) was not complete after \(Duration.milliseconds(20))"
            )
        }

        @Test func timeoutInBodyNamesDuration() {
            let request = HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/")
            let pending = PendingRequest(request: request, options: RequestOptions(timeout: .seconds(2)))
            let text = "http://a.example: the response was not complete after 2.0 seconds"
            #expect(pending.late(isInBody: true).message == text)
        }

        @Test func reportsCancellation() async throws {
            let server = try await ScriptedServer.start()
            let task = Task { try await transport.send(server.request()) }
            let connection = try await server.accept()
            task.cancel()
            let error = await #expect(throws: TransportError.self) { try await task.value }
            // Keeps the connection open until here.
            _ = consume connection
            #expect(error?.description == "cancelled: http://127.0.0.1:\(server.port): the request was canceled")
        }

        @Test func explainsCertificateRejection() async throws {
            let authority = try CertificateAuthority()
            let rows = [
                (
                    try CertificateAuthority().identity(for: ["127.0.0.1"]),
                    "the certificate of 127.0.0.1 is not signed by a trusted authority, has expired, or is not valid "
                        + "yet (CERTIFICATE_VERIFY_FAILED); to accept it, add its authority's certificate to the trust "
                        + "roots of the configuration's tlsConfiguration"
                ),
                (
                    try authority.identity(for: ["b.example"]),
                    "the certificate is not for 127.0.0.1; use a name that it covers, or a certificate for this name"
                ),
            ]
            for (identity, text) in rows {
                let context = try TLSContext(server: TLSServerConfiguration(identity))
                let server = try await ScriptedServer.start(tls: context)
                let transport = try #require(TransportUnderTest.asyncHTTPClient.make(trusting: authority))
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(server.request(scheme: "https"))
                }
                #expect(error?.code == .tls)
                let begin = "https://127.0.0.1:\(server.port): the connection could not be secured: "
                #expect(error?.message == begin + text)
                #expect(error?.underlying != nil)
            }
        }

        @Test func reportsServerWithoutTLS() async throws {
            let server = try await ScriptedServer.start { connection in
                try await connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                _ = try await connection.readToEnd()
            }
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(server.request(scheme: "https"))
            }
            #expect(error?.message.hasSuffix("check the port and the scheme (WRONG_VERSION_NUMBER)") == true)
        }
    }
#endif
