// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1
    internal import NIOHTTP2
    internal import NIOPosix
    internal import NIOSSL
    internal import Reprise

    /// The meaning of an error of async-http-client or SwiftNIO, which pass on the errors of the libraries that they
    /// use.
    struct Cause: Equatable {
        let code: TransportError.Code
        /// A human-readable message: what was expected, what was found, and what to do.
        let text: String

        init(_ code: TransportError.Code, _ text: String) {
            (self.code, self.text) = (code, text)
        }

        /// - Parameters:
        ///   - host: The host that the error concerns.
        ///   - isInBody: Whether the head had arrived.
        init(_ error: any Error, host: String, isInBody: Bool) {
            let missing = isInBody ? "before the response was complete" : "without a response"
            self =
                switch error {
                case is CancellationError: Self.cancelled
                case let error as UploadFailure:
                    Cause(.requestBody, "the request was not sent in full because its body threw: \(error.cause)")
                case let error as HTTPClientError: Cause(error, isInBody: isInBody, missing)
                case let error as NIOConnectionError: Cause(error)
                case let error as IOError: Cause(errno: error.errnoCode, isInBody: isInBody, missing)
                case let error as HTTPParserError: Cause(error, isInBody: isInBody, missing)
                case NIOSSLError.uncleanShutdown: Self.closed(isInBody: isInBody, missing)
                case let error as NIOSSLError: Cause(error, host: host)
                case let error as NIOSSLExtraError: Cause(error, host: host)
                case let error as BoringSSLError: Cause(error, host: host, during: "the connection broke \(missing)")
                case ChannelError.connectTimeout(let limit): Cause(connecting: limit)
                case is ChannelError: Self.closed(isInBody: false, missing)
                case let error as NIOHTTP2Errors.StreamError:
                    Cause(error.baseError, host: host, isInBody: isInBody)
                case let error as any NIOHTTP2Error: Cause(error, missing)
                default: Task.isCancelled ? Self.cancelled : Cause(unknown: error, missing)
                }
        }

        static let cancelled = Cause(.cancelled, "the request was canceled")

        static func closed(isInBody: Bool, _ missing: String) -> Cause {
            Cause(isInBody ? .truncated : .reset, "the server closed the connection \(missing)")
        }

        private init(unknown error: any Error, _ missing: String) {
            // The type is not public, but a server that is shutting down causes this error on each new connection.
            let isGoingAway = "\(type(of: error))" == "HTTP2ReceivedGoAwayBeforeSettingsError"
            let reason = isGoingAway ? "the server accepts no more requests (GOAWAY)" : words(of: error)
            self.init(isGoingAway ? .reset : .other, "the connection broke \(missing): \(reason)")
        }

        private init(_ error: HTTPParserError, isInBody: Bool, _ missing: String) {
            switch error {
            case .invalidEOFState: self = Self.closed(isInBody: isInBody, missing)
            case .closedConnection:
                self.init(.malformedResponse, "data followed the end of a response that closes the connection")
            default:
                self.init(.malformedResponse, "the server sent invalid HTTP/1.1 (RFC 9112): \(words(of: "\(error)"))")
            }
        }
    }

    /// Returns the name of an error's type in words. It says more than most descriptions, and never contains a path
    /// from the machine that built the library.
    func words(of error: any Error) -> String { words(of: "\(type(of: error))") }

    /// Returns a name in words: `invalidHTTPVersion` becomes "invalid HTTP version".
    func words(of name: String) -> String {
        var words = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let isNext = index + 1 < letters.count && letters[index + 1].isLowercase
            let begins = letter.isUppercase && index > 0 && (letters[index - 1].isLowercase || isNext)
            let isAcronym = letter.isUppercase && !isNext
            words += begins ? " " : ""
            words += isAcronym ? String(letter) : letter.lowercased()
        }
        return words
    }
#endif
