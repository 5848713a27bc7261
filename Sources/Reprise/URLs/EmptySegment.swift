// SPDX-License-Identifier: Apache-2.0

extension DefaultStringInterpolation {
    /// Appends a value as a single segment of a path: `"/users/\(segment: name)/posts"`.
    ///
    /// Slashes, question marks, percent signs, and all other characters that would end or change the segment are
    /// escaped (RFC 3986 section 2.4). If the value is empty, `.`, or `..`, the call fails with
    /// ``ClientError/Code/invalidURL``, because the path would refer to something else: `DELETE /users/` instead of a
    /// single user.
    public mutating func appendInterpolation(segment value: some CustomStringConvertible) {
        let text = String(describing: value)
        appendLiteral(text.isEmpty ? EmptySegment.text : URLPart.value.escape(text))
    }
}

/// The placeholder for a missing value in a path: the control character SUBSTITUTE, which is invalid in a path, so
/// that the missing value is detected when the URL is created.
enum EmptySegment {
    static let mark: UInt8 = 0x1A
    static let text = "\u{1A}"
}
