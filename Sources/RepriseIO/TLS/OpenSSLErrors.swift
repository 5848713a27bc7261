// SPDX-License-Identifier: Apache-2.0

private import CRepriseOpenSSL

/// What a call of OpenSSL left in the calling thread's queue of errors.
struct OpenSSLErrors {
    private let codes: [UInt]

    /// Takes all errors out of the queue, which has to be empty before the call that is asked about.
    static func take() -> OpenSSLErrors {
        var codes: [UInt] = []
        // The queue is a ring of 16.
        while case let code = ERR_get_error(), code != 0 { codes.append(code) }
        return OpenSSLErrors(codes: codes)
    }

    /// Forgets errors of earlier calls, which would be taken for the next call's.
    static func clear() {
        ERR_clear_error()
    }

    /// Whether the protocol itself gives this reason (`SSL_R_…`).
    func has(_ reason: Int32) -> Bool {
        codes.contains { ERR_GET_LIB($0) == ERR_LIB_SSL && ERR_GET_REASON($0) == reason }
    }

    /// The alert (RFC 8446 section 6) that the peer gave up with.
    var peersAlert: Int32? {
        codes.lazy.filter { ERR_GET_LIB($0) == ERR_LIB_SSL }.map { ERR_GET_REASON($0) - SSL_AD_REASON_OFFSET }
            .first { (0...255).contains($0) }
    }

    var isEmpty: Bool { codes.isEmpty }

    /// OpenSSL's words, the first cause first.
    var text: String {
        var words: [String] = []
        for code in codes {
            guard let reason = unsafe ERR_reason_error_string(code) else { continue }
            let word = unsafe String(cString: reason)
            if !words.contains(word) { words.append(word) }
        }
        return words.isEmpty ? "unknown reason" : words.joined(separator: ", ")
    }
}
