// SPDX-License-Identifier: Apache-2.0

extension HTTPResponse {
    /// The wait that the server requests with Retry-After (RFC 9110 section 10.2.3), in seconds or until a date. Nil
    /// if the field is missing or invalid.
    var retryAfter: Duration? {
        guard let text = headerFields[.retryAfter] else { return nil }
        if let seconds = Self.seconds(text) { return Duration(waiting: seconds) }
        guard let date = HTTPDate(text) else { return nil }
        // Use the server's clock if it sends the time, because the local clock may be wrong.
        let now = headerFields[.date].flatMap { HTTPDate($0) } ?? .now
        return Duration(waiting: Double(date.seconds - now.seconds))
    }

    private static func seconds(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Double(text)
    }
}
