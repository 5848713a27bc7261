// SPDX-License-Identifier: Apache-2.0

extension DefaultStringInterpolation {
    /// Puts any value into one segment of a path: `"/users/\(segment: name)/posts"`.
    ///
    /// Slashes, question marks, per cent signs and everything else that would end it or change it is escaped (RFC 3986
    /// section 2.4). A call whose path has an empty value, `.` or `..` in it fails with
    /// ``ClientError/Code/invalidURL``, because it would go to another path: `DELETE /users/` instead of one user's.
    public mutating func appendInterpolation(segment value: some CustomStringConvertible) {
        let text = String(describing: value)
        appendLiteral(text.isEmpty ? EmptySegment.text : URLPart.value.escape(text))
    }
}

/// What stands in a path for a value that is missing: the control character SUBSTITUTE, which no path may have and
/// which says just that. So it is noticed when the URL is put together.
enum EmptySegment {
    static let mark: UInt8 = 0x1A
    static let text = "\u{1A}"
}
