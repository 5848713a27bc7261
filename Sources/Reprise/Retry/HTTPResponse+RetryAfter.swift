// SPDX-License-Identifier: Apache-2.0

private import RepriseText

extension HTTPResponse {
    /// The wait that the server requests with Retry-After (RFC 9110 section 10.2.3), in seconds or until a date. Nil
    /// if the field is missing or invalid.
    var retryAfter: Duration? {
        guard let text = headerFields[.retryAfter] else { return nil }
        if text.utf8.isDigits, let seconds = Double(text) { return Duration(waiting: seconds) }
        guard let date = HTTPDate(text) else { return nil }
        // Use the server's clock if it sends the time, because the local clock may be wrong.
        let now = headerFields[.date].flatMap { HTTPDate($0) } ?? .now
        return Duration(waiting: Double(date.seconds - now.seconds))
    }
}
