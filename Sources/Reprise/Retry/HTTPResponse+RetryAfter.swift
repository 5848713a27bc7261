// SPDX-License-Identifier: Apache-2.0

extension HTTPResponse {
    /// How long the server asks to wait (RFC 9110 section 10.2.3): so many seconds, or until a date. Nil if it does not
    /// say, or says what is neither.
    var retryAfter: Duration? {
        guard let text = headerFields[.retryAfter] else { return nil }
        if let seconds = Self.seconds(text) { return Duration(waiting: seconds) }
        guard let date = HTTPDate(text) else { return nil }
        // By the server's clock, where it says what it shows: ours may be wrong.
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
