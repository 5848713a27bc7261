// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOPosix
    internal import NIOSSL
    internal import Reprise
    #if canImport(Darwin)
        private import Darwin
    #elseif canImport(Musl)
        private import Musl
    #else
        private import Glibc
    #endif

    extension TransportError {
        /// Why async-http-client has no response, or no more of one.
        ///
        /// - Parameter isInBody: whether the head was there.
        init(_ error: any Error, for request: HTTPRequest, isInBody: Bool) {
            let cause = (error as? UploadFailure)?.cause
            let code: Code =
                switch error {
                case is CancellationError: .cancelled
                case is UploadFailure: .requestBody
                case let error as HTTPClientError: Code(error, isInBody: isInBody)
                case let error as NIOConnectionError: Code(error)
                case let error as IOError: Code(errno: error.errnoCode)
                case HTTPParserError.invalidEOFState where isInBody: .truncated
                case is HTTPParserError: .malformedResponse
                case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .tls
                case is ChannelError: .reset
                default: Task.isCancelled ? .cancelled : .other
                }
            self.init(code, "\(request.method) \(request.shownURL): \(cause ?? error)", underlying: cause ?? error)
        }
    }

    extension TransportError.Code {
        fileprivate init(_ error: HTTPClientError, isInBody: Bool) {
            self =
                switch error {
                case .cancelled: .cancelled
                case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout,
                    .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
                    .timedOut
                case .remoteConnectionClosed: isInBody ? .truncated : .reset
                case .uncleanShutdown: .truncated
                case .bodyLengthMismatch: .requestBody
                case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody: .invalidRequest
                case .invalidProxyResponse, .proxyAuthenticationRequired: .proxy
                default: .other
                }
        }

        fileprivate init(_ error: NIOConnectionError) {
            if let failure = error.connectionErrors.first {
                self = (failure.error as? IOError).map { Self(errno: $0.errnoCode) } ?? .offline
                if failure.error is ChannelError { self = .timedOut }
            } else {
                self = .nameNotResolved
            }
        }

        fileprivate init(errno: CInt) {
            self =
                switch errno {
                case ECONNREFUSED: .connectionRefused
                case ECONNRESET, EPIPE, ENOTCONN: .reset
                case ETIMEDOUT: .timedOut
                case ENETUNREACH, EHOSTUNREACH, ENETDOWN: .offline
                default: .other
                }
        }
    }
#endif
