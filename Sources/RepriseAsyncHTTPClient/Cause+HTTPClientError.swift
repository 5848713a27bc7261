// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Reprise

    extension Cause {
        init(_ error: HTTPClientError, isInBody: Bool, _ missing: String) {
            switch error {
            case .cancelled: self = Self.cancelled
            case .remoteConnectionClosed, .uncleanShutdown: self = Self.closed(isInBody: isInBody, missing)
            case .bodyLengthMismatch:
                self.init(.requestBody, "the request's body does not have the announced length")
            case .requestStreamCancelled:
                self.init(.requestBody, "the server answered before the complete request was sent")
            case .invalidProxyResponse: self.init(.proxy, "the proxy sent an invalid response")
            case .proxyAuthenticationRequired:
                self.init(
                    .proxy,
                    "the proxy requires authentication (407); set an authorization in the configuration's proxy"
                )
            case .alreadyShutdown: self.init(.other, "the client is shut down")
            default: self = Cause(limit: error) ?? Cause(unsendable: error) ?? Cause(other: error, missing)
            }
        }

        /// Creates a cause for a limit of the configuration, as opposed to one of the request.
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
                self.init(.timedOut, "no connection in time: all connections allowed to this host are in use")
            case .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
                self.init(.timedOut, "no connection in time: the proxy did not answer")
            case .readTimeout:
                self.init(.timedOut, "nothing was received within the configuration's timeout.read")
            case .writeTimeout:
                self.init(.timedOut, "nothing could be sent within the configuration's timeout.write")
            default: return nil
            }
        }

        private init?(unsendable error: HTTPClientError) {
            let reason: String
            switch error {
            case .invalidURL, .emptyHost, .emptyScheme:
                reason = "expected an absolute URL with the scheme http or https and a host"
            case .traceRequestWithBody: reason = "TRACE must not have a body (RFC 9110 section 9.3.8)"
            case .contentLengthMissing: reason = "the length of its body is missing"
            case .identityCodingIncorrectlyPresent: reason = "`identity` is not a transfer coding (RFC 9112 section 7)"
            // These errors have associated values, so they cannot be compared.
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
            // Drop the location in parentheses.
            let reason = error.shortDescription.prefix { $0 != "(" }
            self.init(.other, "the request failed \(missing): \(reason.lowercased())")
        }
    }
#endif
