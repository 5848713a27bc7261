// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import NIOSSL
    internal import Reprise

    extension Cause {
        /// Creates a cause for a connection that could not be secured.
        init(_ error: NIOSSLError, host: String) {
            switch error {
            case .handshakeFailed(let cause), .shutdownFailed(let cause):
                self.init(cause, host: host, during: Self.unsecured)
            case .noCertificateToValidate: self.init(.tls, "\(Self.unsecured): \(host) presented no certificate")
            case .unableToValidateCertificate:
                self.init(.tls, "\(Self.unsecured): the certificate of \(host) could not be verified")
            default: self.init(.tls, "\(Self.unsecured): \(words(of: "\(error)"))")
            }
        }

        init(_ error: NIOSSLExtraError, host: String) {
            let reason =
                switch error {
                case .failedToValidateHostname:
                    "the certificate is not for \(host); use a name that it covers, or a certificate for this name"
                case .serverHostnameImpossibleToMatch: "no certificate can be issued for \(host): expected a DNS name"
                case .invalidSNIHostname: "\(host) is not a DNS name"
                default: "the configuration's tlsConfiguration requires something unsupported"
                }
            self.init(.tls, "\(Self.unsecured): \(reason)")
        }

        /// - Parameter stage: The step that failed.
        init(_ error: BoringSSLError, host: String, during stage: String) {
            let stack: NIOBoringSSLErrorStack =
                switch error {
                case .sslError(let stack), .unknownError(let stack), .invalidSNIName(let stack),
                    .failedToSetALPN(let stack):
                    stack
                default: []
                }
            let reason = stack.lazy.compactMap(Self.reason).first
            let text = Self.text(of: reason, host: host, hasEnded: stack.contains(.eofDuringHandshake))
            self.init(.tls, "\(stage): \(text)")
        }

        private static let unsecured = "the connection could not be secured"

        /// Returns BoringSSL's name for the error. The description also contains a path on the machine that built the
        /// library.
        private static func reason(of error: BoringSSLInternalError) -> String? {
            guard let begin = error.description.firstRange(of: "OPENSSL_internal:")?.upperBound else { return nil }
            let name = error.description[begin...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            return name.isEmpty ? nil : String(name)
        }

        private static func text(of reason: String?, host: String, hasEnded: Bool) -> String {
            switch reason {
            case "CERTIFICATE_VERIFY_FAILED":
                """
                the certificate of \(host) is not signed by a trusted authority, has expired, or is not valid yet \
                (CERTIFICATE_VERIFY_FAILED); to accept it, add its authority's certificate to the trust roots of the \
                configuration's tlsConfiguration
                """
            case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST":
                "the server does not speak TLS; check the port and the scheme (\(reason ?? ""))"
            case "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION":
                "the server and the configuration's tlsConfiguration have no TLS version in common (\(reason ?? ""))"
            case "TLSV1_ALERT_NO_APPLICATION_PROTOCOL":
                "the server speaks neither HTTP/2 nor HTTP/1.1 over TLS (\(reason ?? ""))"
            case "TLSV1_ALERT_CERTIFICATE_REQUIRED", "SSLV3_ALERT_BAD_CERTIFICATE", "TLSV1_ALERT_UNKNOWN_CA":
                "the server requires a client certificate; add a trusted one to the tlsConfiguration (\(reason ?? ""))"
            case let reason? where reason.contains("_ALERT_"): "the server refused (\(reason))"
            case let reason?: "the TLS library refused (\(reason))"
            case nil where hasEnded: "the server closed the connection during the handshake"
            case nil: "the TLS library gives no reason"
            }
        }
    }
#endif
