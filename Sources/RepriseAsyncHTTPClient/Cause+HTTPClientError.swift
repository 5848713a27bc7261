// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Reprise

    extension Cause {
        /// What async-http-client says itself.
        init(_ error: HTTPClientError, isInBody: Bool, _ missing: String) {
            switch error {
            case .cancelled: self = Self.cancelled
            case .remoteConnectionClosed, .uncleanShutdown: self = Self.closed(isInBody: isInBody, missing)
            case .bodyLengthMismatch:
                self.init(.requestBody, "the request's body was to have another length than it has")
            case .requestStreamCancelled:
                self.init(.requestBody, "the server answered before the request was sent in full")
            case .invalidProxyResponse: self.init(.proxy, "the proxy answered what it must not")
            case .proxyAuthenticationRequired:
                self.init(
                    .proxy,
                    "the proxy asks who this is (407): give the configuration's proxy an authorization"
                )
            case .alreadyShutdown: self.init(.other, "the client is shut down")
            default: self = Cause(limit: error) ?? Cause(unsendable: error) ?? Cause(other: error, missing)
            }
        }

        /// A limit of the configuration's own, none of the request's.
        private init?(limit error: HTTPClientError) {
            switch error {
            case .connectTimeout:
                self.init(
                    .timedOut,
                    """
                    no connection in time: the host does not answer, or the configuration's timeout.connect is too short
                    """
                )
            case .tlsHandshakeTimeout: self.init(.timedOut, "no connection in time: the TLS handshake was not complete")
            case .getConnectionFromPoolTimeout:
                self.init(.timedOut, "no connection in time: all that there may be to this host are in use")
            case .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
                self.init(.timedOut, "no connection in time: the proxy did not answer")
            case .readTimeout:
                self.init(.timedOut, "nothing came for as long as the configuration's timeout.read allows")
            case .writeTimeout:
                self.init(.timedOut, "nothing could be sent for as long as the configuration's timeout.write allows")
            default: return nil
            }
        }

        private init?(unsendable error: HTTPClientError) {
            let reason: String
            switch error {
            case .invalidURL, .emptyHost, .emptyScheme:
                reason = "expected an absolute URL with the scheme http or https and a host"
            case .traceRequestWithBody: reason = "TRACE has no body (RFC 9110 section 9.3.8)"
            case .contentLengthMissing: reason = "its body has no length"
            case .identityCodingIncorrectlyPresent: reason = "`identity` is no transfer coding (RFC 9112 section 7)"
            // Those carry what is wrong: nothing to compare them with.
            case _ where Self.described.contains(error.shortDescription):
                reason = error.shortDescription.lowercased()
            default: return nil
            }
            self.init(.invalidRequest, "the request cannot be sent: \(reason)")
        }

        private static let described = [
            "Invalid header field names", "Invalid header field values", "Unsupported scheme",
        ]

        private init(other error: HTTPClientError, _ missing: String) {
            // Where it was thrown is in brackets.
            let reason = error.shortDescription.prefix { $0 != "(" }
            self.init(.other, "the request failed \(missing): \(reason.lowercased())")
        }
    }
#endif
