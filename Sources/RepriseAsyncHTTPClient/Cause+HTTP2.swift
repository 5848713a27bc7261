// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import NIOHTTP2
    internal import Reprise

    extension Cause {
        /// What went wrong with a stream or with all of an HTTP/2 connection (RFC 9113 section 5.4).
        ///
        /// - Parameter missing: what of the response.
        init(_ error: any NIOHTTP2Error, _ missing: String) {
            switch error {
            case let error as NIOHTTP2Errors.StreamClosed:
                self.init(closedWith: error.errorCode, missing)
            // The connection ended, or is about to (GOAWAY, section 6.8), while the request was on its way to it.
            case is NIOHTTP2Errors.NoSuchStream, is NIOHTTP2Errors.IOOnClosedConnection,
                is NIOHTTP2Errors.CreatedStreamAfterGoaway, is NIOHTTP2Errors.NoStreamIDAvailable:
                self.init(.reset, "the HTTP/2 connection ended \(missing)")
            case let error as NIOHTTP2Errors.ForbiddenHeaderField:
                // The request's or the response's.
                self.init(.other, "HTTP/2 has no header field \(error.name) (RFC 9113 section 8.2.2)")
            case is NIOHTTP2Errors.ExcessiveOutboundFrameBuffering:
                self.init(.other, "the server asks for more than it takes: too many frames wait to be sent")
            default:
                self.init(.malformedResponse, "what came breaks the rules of HTTP/2 (RFC 9113): \(words(of: error))")
            }
        }

        /// A stream that was reset, or whose connection ended. Who reset it is not told: SwiftNIO does so with a stream that
        /// breaks the rules.
        ///
        /// - Parameter code: why, as section 7 has it.
        private init(closedWith code: NIOHTTP2.HTTP2ErrorCode, _ missing: String) {
            switch code {
            case .http11Required:
                self.init(
                    .other,
                    "the server wants HTTP/1.1 for this: let the configuration's httpVersion be .http1Only"
                )
            case .inadequateSecurity:
                self.init(.tls, "the connection is not secure enough for the server (INADEQUATE_SECURITY)")
            case .refusedStream:
                // Section 8.7: nothing of the request was looked at.
                self.init(.reset, "the server refused the request before it looked at it (REFUSED_STREAM)")
            default:
                self.init(.reset, "the HTTP/2 stream was reset \(missing) (\(Self.name(of: code)))")
            }
        }

        private static func name(of code: NIOHTTP2.HTTP2ErrorCode) -> String {
            switch code {
            case .noError: "NO_ERROR"
            case .protocolError: "PROTOCOL_ERROR"
            case .internalError: "INTERNAL_ERROR"
            case .flowControlError: "FLOW_CONTROL_ERROR"
            case .settingsTimeout: "SETTINGS_TIMEOUT"
            case .streamClosed: "STREAM_CLOSED"
            case .frameSizeError: "FRAME_SIZE_ERROR"
            case .cancel: "CANCEL"
            case .compressionError: "COMPRESSION_ERROR"
            case .connectError: "CONNECT_ERROR"
            case .enhanceYourCalm: "ENHANCE_YOUR_CALM"
            default: "error \(code.networkCode)"
            }
        }
    }
#endif
