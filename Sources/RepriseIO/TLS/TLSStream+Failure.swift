// SPDX-License-Identifier: Apache-2.0

private import CRepriseOpenSSL

extension TLSStream {
    private var peer: String { peerName ?? "the client" }

    /// Returns the failure for a call that cannot be retried.
    func failure(_ errors: OpenSSLErrors) -> Failure {
        isHandshaking ? handshakeFailure(errors) : streamFailure(errors)
    }

    private func handshakeFailure(_ errors: OpenSSLErrors) -> Failure {
        if let flaw { return .tls(flaw) }
        if let code = [wire.receiveError, wire.sendError].first(where: { $0 != 0 }) {
            return .system(SystemError(code: code, call: "TLS handshake with \(peer)"))
        }
        if !wire.foreignBytes.isEmpty {
            return .tls(
                TLSError(.handshake, "\(peer) does not speak TLS: it sent \"\(Self.firstLine(of: wire.foreignBytes))\"")
            )
        }
        if isCutOff(errors) {
            return .tls(TLSError(.handshake, "\(peer) closed the connection during the TLS handshake"))
        }
        if let alert = errors.peersAlert {
            return .tls(TLSError(Self.kind(ofAlert: alert), "\(peer) refused the TLS handshake: \(errors.text)"))
        }
        let kind = Self.kind(of: errors)
        return .tls(TLSError(kind, "the TLS handshake with \(peer) failed: \(errors.text)"))
    }

    private func streamFailure(_ errors: OpenSSLErrors) -> Failure {
        if wire.receiveError != 0 { return .system(SystemError(code: wire.receiveError, call: "recv")) }
        if wire.sendError != 0 { return .system(SystemError(code: wire.sendError, call: "send")) }
        if isCutOff(errors) {
            let end = "\(peer) closed the connection without a TLS closure alert"
            return .tls(TLSError(.closedWithoutNotice, "\(end): data may be missing at the end"))
        }
        if errors.peersAlert != nil {
            return .tls(TLSError(.record, "\(peer) aborted the TLS connection: \(errors.text)"))
        }
        return .tls(TLSError(.record, "\(peer) sent an invalid TLS record: \(errors.text)"))
    }

    private func isCutOff(_ errors: OpenSSLErrors) -> Bool {
        wire.isAtEnd && (errors.isEmpty || errors.has(SSL_R_UNEXPECTED_EOF_WHILE_READING))
    }

    /// Returns the kind for an alert (RFC 8446 section 6.2, RFC 7301 section 3.2).
    private static func kind(ofAlert alert: Int32) -> TLSError.Kind {
        switch alert {
        case SSL_AD_PROTOCOL_VERSION: .protocolVersion
        case SSL_AD_NO_APPLICATION_PROTOCOL: .applicationProtocol
        default: .handshake
        }
    }

    private static func kind(of errors: OpenSSLErrors) -> TLSError.Kind {
        let versions = [
            SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_PROTOCOLS_AVAILABLE, SSL_R_WRONG_SSL_VERSION,
            SSL_R_WRONG_VERSION_NUMBER,
            SSL_R_VERSION_TOO_LOW, SSL_R_VERSION_TOO_HIGH, SSL_R_UNSUPPORTED_SSL_VERSION,
        ]
        if versions.contains(where: { errors.has($0) }) { return .protocolVersion }
        return errors.has(SSL_R_NO_APPLICATION_PROTOCOL) ? .applicationProtocol : .handshake
    }

    private static func firstLine(of bytes: [UInt8]) -> String {
        TLSError.printable(bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") })
    }
}
