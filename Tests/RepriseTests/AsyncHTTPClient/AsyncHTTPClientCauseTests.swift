// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOSSL
    import Reprise
    import Testing

    @testable import RepriseAsyncHTTPClient
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    @Suite struct AsyncHTTPClientCauseTests {
        /// An error, and its codes before the head and in the body.
        typealias Row = (error: any Error, before: TransportError.Code, within: TransportError.Code)

        @Test(
            arguments: [
                (HTTPClientError.cancelled, .cancelled, .cancelled),
                (HTTPClientError.remoteConnectionClosed, .reset, .truncated),
                (HTTPClientError.uncleanShutdown, .reset, .truncated),
                (HTTPClientError.connectTimeout, .timedOut, .timedOut),
                (HTTPClientError.tlsHandshakeTimeout, .timedOut, .timedOut),
                (HTTPClientError.getConnectionFromPoolTimeout, .timedOut, .timedOut),
                (HTTPClientError.httpProxyHandshakeTimeout, .timedOut, .timedOut),
                (HTTPClientError.socksHandshakeTimeout, .timedOut, .timedOut),
                (HTTPClientError.readTimeout, .timedOut, .timedOut),
                (HTTPClientError.writeTimeout, .timedOut, .timedOut),
                (HTTPClientError.bodyLengthMismatch, .requestBody, .requestBody),
                (HTTPClientError.requestStreamCancelled, .requestBody, .requestBody),
                (HTTPClientError.invalidProxyResponse, .proxy, .proxy),
                (HTTPClientError.proxyAuthenticationRequired, .proxy, .proxy),
                (HTTPClientError.invalidURL, .invalidRequest, .invalidRequest),
                (HTTPClientError.traceRequestWithBody, .invalidRequest, .invalidRequest),
                (HTTPClientError.invalidHeaderFieldNames(["a b"]), .invalidRequest, .invalidRequest),
                (HTTPClientError.invalidHeaderFieldValues(["\r"]), .invalidRequest, .invalidRequest),
                (HTTPClientError.unsupportedScheme("ftp"), .invalidRequest, .invalidRequest),
                (HTTPClientError.alreadyShutdown, .other, .other),
                (HTTPClientError.internalStateFailure(), .other, .other),
            ] as [Row]
        )
        func mapsErrorsOfAsyncHTTPClient(row: Row) {
            expect(row)
        }

        @Test(
            arguments: [
                (CancellationError(), .cancelled, .cancelled),
                (UploadFailure(cause: CancellationError()), .requestBody, .requestBody),
                (IOError(errnoCode: ECONNREFUSED, reason: "x"), .connectionRefused, .connectionRefused),
                (IOError(errnoCode: ECONNRESET, reason: "x"), .reset, .reset),
                (IOError(errnoCode: EPIPE, reason: "x"), .reset, .reset),
                (IOError(errnoCode: ETIMEDOUT, reason: "x"), .timedOut, .timedOut),
                (IOError(errnoCode: EHOSTUNREACH, reason: "x"), .offline, .offline),
                (IOError(errnoCode: EMFILE, reason: "x"), .other, .other),
                (ChannelError.connectTimeout(.seconds(1)), .timedOut, .timedOut),
                (ChannelError.ioOnClosedChannel, .reset, .reset),
                (HTTPParserError.invalidEOFState, .reset, .truncated),
                (HTTPParserError.invalidChunkSize, .malformedResponse, .malformedResponse),
                (NIOSSLError.uncleanShutdown, .reset, .truncated),
                (NIOSSLError.noCertificateToValidate, .tls, .tls),
                (NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])), .tls, .tls),
                (NIOSSLExtraError.failedToValidateHostname, .tls, .tls),
                (BoringSSLError.zeroReturn, .tls, .tls),
                (HTTP2ReceivedGoAwayBeforeSettingsError(), .reset, .reset),
                (Unknown(), .other, .other),
            ] as [Row]
        )
        func mapsErrorsOfSwiftNIO(row: Row) {
            expect(row)
        }

        @Test(
            arguments: [
                (NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .protocolError), .reset, .reset),
                (NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .refusedStream), .reset, .reset),
                (NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .noError), .reset, .reset),
                (NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .cancel), .reset, .reset),
                (NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .init(networkCode: 99)), .reset, .reset),
                (NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .http11Required), .other, .other),
                (NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .inadequateSecurity), .tls, .tls),
                (NIOHTTP2Errors.noSuchStream(streamID: 1), .reset, .reset),
                (NIOHTTP2Errors.ioOnClosedConnection(), .reset, .reset),
                (NIOHTTP2Errors.createdStreamAfterGoaway(), .reset, .reset),
                (NIOHTTP2Errors.noStreamIDAvailable(), .reset, .reset),
                (NIOHTTP2Errors.unableToParseFrame(), .malformedResponse, .malformedResponse),
                (NIOHTTP2Errors.flowControlViolation(), .malformedResponse, .malformedResponse),
                (NIOHTTP2Errors.contentLengthViolated(), .malformedResponse, .malformedResponse),
                (NIOHTTP2Errors.forbiddenHeaderField(name: "te", value: "x"), .other, .other),
                (
                    NIOHTTP2Errors.streamError(streamID: 1, baseError: NIOHTTP2Errors.missingPseudoHeader("status")),
                    .malformedResponse, .malformedResponse
                ),
                (
                    NIOHTTP2Errors.streamError(streamID: 1, baseError: IOError(errnoCode: ECONNRESET, reason: "x")),
                    .reset, .reset
                ),
            ] as [Row]
        )
        func mapsErrorsOfHTTP2(row: Row) {
            expect(row)
        }

        @Test func listsFailureOfEachAddress() {
            let refused = IOError(errnoCode: ECONNREFUSED, reason: "x")
            let unreachable = IOError(errnoCode: ENETUNREACH, reason: "x")
            let cause = Cause(
                connectingTo: "h",
                failures: [
                    ("[::1]:1", unreachable), ("1.2.3.4:1", ChannelError.connectTimeout(.seconds(2))), ("e:1", refused),
                ]
            )
            #expect(cause.code == .connectionRefused)
            #expect(
                cause.text
                    == "no connection: [::1]:1: no route to this network; 1.2.3.4:1: no answer after 2.0 seconds; e:1: connection refused: no server listens there"
            )
            #expect(Cause(connectingTo: "h", failures: []).code == .nameNotResolved)
        }

        private func expect(_ row: Row) {
            for (isInBody, code) in [(false, row.before), (true, row.within)] {
                let cause = Cause(row.error, host: "a.example", isInBody: isInBody)
                #expect(cause.code == code, "\(row.error)")
                // The text is prose, not a debug description.
                for sign in ["Error", "NIO", "HTTPClient", ".swift", "errno", "()", "Optional", "/"] {
                    let text = cause.text.replacing("HTTP/2", with: "").replacing("HTTP/1.1", with: "")
                    #expect(!text.contains(sign) || row.error is UploadFailure, "\(cause.text)")
                }
            }
        }

        private struct Unknown: Error {}

        /// Has the name of an error in SwiftNIO that isn't public.
        private struct HTTP2ReceivedGoAwayBeforeSettingsError: Error {}
    }
#endif
