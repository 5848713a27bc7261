// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Well-known URL parameters, anywhere in a body or a header line. Only the value is redacted.
    static let parameters = queries + spelled(#"jsessionid=[A-Za-z0-9.!-]{16,}"#) { $0.kept = 11 }

    private static let queries = [
        "access_token=", "refresh_token=", "id_token=", "client_secret=", "api_key=", "apikey=", "X-Amz-Signature=",
        "X-Amz-Security-Token=", "X-Goog-Signature=",
    ].flatMap { name in
        // The first character is not a percent sign, because an encoded marker starts with one.
        spelled(name + #"[\w.~+/-][\w.~%+/-]{7,}"#) { $0.kept = name.utf8.count }
    }
}
