// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL
private import RepriseText

/// A certificate's contents for error messages. Control characters are escaped and long lists are truncated.
struct CertificateFacts {
    let subject: String
    let issuer: String
    let notBefore: String
    let notAfter: String
    let nameList: String

    /// - Parameter certificate: An OpenSSL `X509`.
    init?(_ certificate: OpaquePointer?) {
        guard let certificate = unsafe certificate else { return nil }
        unsafe subject = Self.line(X509_get_subject_name(certificate))
        unsafe issuer = Self.line(X509_get_issuer_name(certificate))
        unsafe notBefore = Self.text(X509_get0_notBefore(certificate))
        unsafe notAfter = Self.text(X509_get0_notAfter(certificate))
        let names = unsafe Self.names(of: certificate)
        let shown = names.prefix(8).joined(separator: ", ")
        nameList =
            switch names.count {
            case 0: "no host names (only the subject \(subject))"
            case ...8: shown
            case let count: "\(shown) and \(count - 8) more"
            }
    }

    /// `CN=Example CA,O=Example`
    private static func line(_ name: OpaquePointer?) -> String {
        let bytes = unsafe PEMText.write { text in unsafe shim_print_name(text, name) }
        return bytes.isEmpty ? "unnamed" : plain(bytes)
    }

    /// `2026-11-21 09:00:00 UTC`
    private static func text(_ time: UnsafePointer<ASN1_TIME>?) -> String {
        var parts = unsafe tm()
        guard unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return "an unreadable time" }
        let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        let texts = [(date, "-"), (clock, ":")].map { $0.map { zeroPadded($0, 2) }.joined(separator: $1) }
        return texts.joined(separator: " ") + " UTC"
    }

    private static func names(of certificate: OpaquePointer) -> [String] {
        let list = unsafe OpaquePointer(X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil))
        guard let list = unsafe list else { return [] }
        defer { unsafe GENERAL_NAMES_free(list) }
        var names: [String] = []
        for index in 0..<(unsafe OPENSSL_sk_num(list)) {
            guard let item = unsafe OPENSSL_sk_value(list, index)?.assumingMemoryBound(to: GENERAL_NAME.self) else {
                continue
            }
            switch unsafe item.pointee.type {
            case GEN_DNS:
                unsafe names.append(plain(Self.bytes(of: item.pointee.d.dNSName)))
            case GEN_IPADD:
                unsafe names.append(address(Self.bytes(of: item.pointee.d.iPAddress)))
            default: break
            }
        }
        return names
    }

    private static func bytes(of string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        let count = unsafe Int(ASN1_STRING_length(string))
        return unsafe Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: count))
    }

    private static func address(_ bytes: [UInt8]) -> String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        guard bytes.count == 16 else { return "an address of \(bytes.count) bytes" }
        return stride(from: 0, to: 16, by: 2)
            .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }

    private static func plain(_ bytes: [UInt8]) -> String {
        TLSError.printable(bytes.prefix(100)) + (bytes.count > 100 ? "…" : "")
    }
}
