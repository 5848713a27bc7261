// SPDX-License-Identifier: Apache-2.0

private import CRepriseOpenSSL

/// The errors that an OpenSSL call left in the calling thread's error queue.
struct OpenSSLErrors {
    private let codes: [UInt]

    /// Removes and returns all errors in the queue, which must have been empty before the call in question.
    static func take() -> OpenSSLErrors {
        var codes: [UInt] = []
        // The queue is a ring buffer of 16 entries, so this ends.
        while case let code = ERR_get_error(), code != 0 { codes.append(code) }
        return OpenSSLErrors(codes: codes)
    }

    /// Clears the errors of earlier calls, so that they are not attributed to the next call.
    static func clear() {
        ERR_clear_error()
    }

    /// Whether the errors include this reason from the SSL library (`SSL_R_…`).
    func has(_ reason: Int32) -> Bool {
        codes.contains { ERR_GET_LIB($0) == ERR_LIB_SSL && ERR_GET_REASON($0) == reason }
    }

    /// The alert (RFC 8446 section 6) with which the peer ended the connection.
    var peersAlert: Int32? {
        codes.lazy.filter { ERR_GET_LIB($0) == ERR_LIB_SSL }.map { ERR_GET_REASON($0) - SSL_AD_REASON_OFFSET }
            .first { (0...255).contains($0) }
    }

    var isEmpty: Bool { codes.isEmpty }

    /// OpenSSL's descriptions of the errors, root cause first.
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
