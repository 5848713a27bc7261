// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import NIOHTTP2
    internal import Reprise

    extension Cause {
        /// Creates a cause for an error of a stream or of a whole HTTP/2 connection (RFC 9113 section 5.4).
        ///
        /// - Parameter missing: Words for the state of the response, such as "without a response".
        init(_ error: any NIOHTTP2Error, _ missing: String) {
            switch error {
            case let error as NIOHTTP2Errors.StreamClosed:
                self.init(closedWith: error.errorCode, missing)
            // The connection ended or is about to end (GOAWAY, section 6.8) while the request was being sent.
            case is NIOHTTP2Errors.NoSuchStream, is NIOHTTP2Errors.IOOnClosedConnection,
                is NIOHTTP2Errors.CreatedStreamAfterGoaway, is NIOHTTP2Errors.NoStreamIDAvailable:
                self.init(.reset, "the HTTP/2 connection ended \(missing)")
            case let error as NIOHTTP2Errors.ForbiddenHeaderField:
                // The field can be in the request or in the response.
                self.init(.other, "HTTP/2 does not allow the header field \(error.name) (RFC 9113 section 8.2.2)")
            case is NIOHTTP2Errors.ExcessiveOutboundFrameBuffering:
                self.init(.other, "the server requests more than it accepts: too many frames are waiting to be sent")
            default:
                self.init(.malformedResponse, "the server sent invalid HTTP/2 (RFC 9113): \(words(of: error))")
            }
        }

        /// Creates a cause for a stream that was reset or whose connection ended. SwiftNIO also resets streams that
        /// violate the rules, so it is unknown which side reset the stream.
        ///
        /// - Parameter code: The reason, as defined in section 7.
        private init(closedWith code: NIOHTTP2.HTTP2ErrorCode, _ missing: String) {
            switch code {
            case .http11Required:
                self.init(
                    .other,
                    "the server requires HTTP/1.1 for this request; set the configuration's httpVersion to .http1Only"
                )
            case .inadequateSecurity:
                self.init(.tls, "the connection is not secure enough for the server (INADEQUATE_SECURITY)")
            case .refusedStream:
                // The server has not processed any part of the request (section 8.7).
                self.init(.reset, "the server refused the request without processing it (REFUSED_STREAM)")
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
