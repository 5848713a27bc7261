// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL
private import RepriseText

/// The host name or address that a server's certificate has to match.
struct TLSPeerName {
    /// The name or address without brackets, zone or trailing dot.
    let text: String

    /// - Throws: ``TLSError/Kind/configuration`` if `host` is neither a host name nor an address.
    init(_ host: String) throws(TLSError) {
        var text = host[...].withoutBrackets
        // The zone of fe80::1%eth0 and the trailing dot of a name are meaningful only on this machine.
        if text.contains(":"), let zone = text.firstIndex(of: "%") { text = text[..<zone] }
        if text.last == "." { text = text.dropLast() }
        // With a leading dot, OpenSSL would accept a certificate for any subdomain.
        let isName = !text.isEmpty && text.first != "." && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard isName, text.utf8.count <= 255 else {
            throw TLSError(
                .configuration,
                "expected a host name in ASCII or an address to check the certificate against, found \(host.debugDescription)"
            )
        }
        self.text = String(text)
    }

    /// Configures a handshake to send the name and to check the certificate against it (RFC 9525, RFC 6066 section
    /// 3). Returns false on failure.
    func isExpected(by ssl: OpaquePointer) -> Bool {
        let parameters = unsafe SSL_get0_param(ssl)
        // Addresses are compared in binary form and are not sent.
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, text) == 1 { return true }
        OpenSSLErrors.clear()
        // `f*.example.com` and the subject's common name do not identify hosts (RFC 9525 sections 6.3 and 2).
        let flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
        unsafe X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(flags))
        return unsafe SSL_set1_host(ssl, text) == 1 && shim_set_server_name(ssl, text) != 0
    }
}
