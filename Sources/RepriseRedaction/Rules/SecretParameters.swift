// SPDX-License-Identifier: Apache-2.0

extension SecretPattern {
    /// Parameters of URLs in a body or a header line that have the same name everywhere. The name stays.
    static let parameters = [
        "access_token=", "refresh_token=", "id_token=", "client_secret=", "api_key=", "apikey=", "X-Amz-Signature=",
        "X-Amz-Security-Token=", "X-Goog-Signature=",
    ].flatMap { name in
        // A marker may start with an escape, so no value does.
        spelled(name + #"[\w.~+/-][\w.~%+/-]{7,}"#) { $0.kept = name.utf8.count }
    }
}
