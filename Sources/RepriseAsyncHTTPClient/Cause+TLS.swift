// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import NIOSSL
    internal import Reprise

    extension Cause {
        /// A connection that could not be secured.
        init(_ error: NIOSSLError, host: String) {
            switch error {
            case .handshakeFailed(let cause), .shutdownFailed(let cause):
                self.init(cause, host: host, during: Self.unsecured)
            case .noCertificateToValidate: self.init(.tls, "\(Self.unsecured): \(host) has shown no certificate")
            case .unableToValidateCertificate:
                self.init(.tls, "\(Self.unsecured): the certificate of \(host) is refused: it could not be checked")
            default: self.init(.tls, "\(Self.unsecured): \(words(of: "\(error)"))")
            }
        }

        init(_ error: NIOSSLExtraError, host: String) {
            let reason =
                switch error {
                case .failedToValidateHostname:
                    "the certificate is not for \(host): ask for a name that it has, or give the server one for this name"
                case .serverHostnameImpossibleToMatch: "no certificate can be for \(host): expected a name of the DNS"
                case .invalidSNIHostname: "\(host) is no name of the DNS"
                default: "what the configuration's tlsConfiguration asks for cannot be done"
                }
            self.init(.tls, "\(Self.unsecured): \(reason)")
        }

        /// - Parameter stage: what did not work.
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

        /// OpenSSL's name for it: the description has a path of the machine that built it behind that.
        private static func reason(of error: BoringSSLInternalError) -> String? {
            guard let begin = error.description.firstRange(of: "OPENSSL_internal:")?.upperBound else { return nil }
            let name = error.description[begin...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            return name.isEmpty ? nil : String(name)
        }

        private static func text(of reason: String?, host: String, hasEnded: Bool) -> String {
            switch reason {
            case "CERTIFICATE_VERIFY_FAILED":
                """
                no trusted certificate leads to the certificate of \(host), or its time is over or yet to come \
                (CERTIFICATE_VERIFY_FAILED): to accept it, add its authority's certificate to the trust roots of the \
                configuration's tlsConfiguration
                """
            case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST":
                "the server does not speak TLS: are the port and the scheme right? (\(reason ?? ""))"
            case "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION":
                "the server has no version of TLS in common with the configuration's tlsConfiguration (\(reason ?? ""))"
            case "TLSV1_ALERT_NO_APPLICATION_PROTOCOL":
                "the server speaks neither HTTP/2 nor HTTP/1.1 over TLS (\(reason ?? ""))"
            case "TLSV1_ALERT_CERTIFICATE_REQUIRED", "SSLV3_ALERT_BAD_CERTIFICATE", "TLSV1_ALERT_UNKNOWN_CA":
                "the server asks for a certificate that it trusts: give the tlsConfiguration one (\(reason ?? ""))"
            case let reason? where reason.contains("_ALERT_"): "the server refused (\(reason))"
            case let reason?: "the TLS library refused (\(reason))"
            case nil where hasEnded: "the server closed the connection during the handshake"
            case nil: "the TLS library gives no reason"
            }
        }
    }
#endif
