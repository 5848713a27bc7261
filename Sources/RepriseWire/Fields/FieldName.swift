// SPDX-License-Identifier: Apache-2.0

/// Field names (RFC 9110 section 5.1).
public enum FieldName {
    /// Whether the bytes of `input` in `range` are `name`, ignoring case. No memory is allocated if `name` is a
    /// literal.
    public static func matches(_ range: Range<Int>, of input: Span<UInt8>, _ name: String) -> Bool {
        FieldValue.matches(range, of: input, name)
    }

    /// Whether two names are equal, ignoring case.
    public static func areEqual(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        for (left, right) in zip(one.utf8, other.utf8) where left.lowercased != right.lowercased { return false }
        return true
    }

    /// Whether `name` is a token: one or more token characters (RFC 9110 section 5.6.2).
    public static func isToken(_ name: some Sequence<UInt8>) -> Bool {
        var isEmpty = true
        for byte in name {
            guard byte.isToken else { return false }
            isEmpty = false
        }
        return !isEmpty
    }

    /// Whether `name` is a token.
    public static func isToken(_ name: String) -> Bool { isToken(name.utf8) }
}

extension FieldName {
    /// The names that the parsers interpret.
    enum Known: Sendable {
        case host, contentLength, contentType, transferEncoding, connection, expect
    }

    /// Returns the known name in `range`, or nil if it is another name.
    ///
    /// - Parameter tail: The last eight bytes of the name, folded as in ``FoldedWord``. The bytes before them are
    ///   compared here.
    @inline(__always)
    static func known(_ range: Range<Int>, tail: UInt64, of input: Span<UInt8>) -> Known? {
        switch (range.count, tail) {
        case (4, FoldedWord.host): .host
        case (6, FoldedWord.expect): .expect
        case (10, FoldedWord.nnection): startsWith(FoldedWord.co, 2, range, input) ? .connection : nil
        case (12, FoldedWord.entType): startsWith(FoldedWord.cont, 4, range, input) ? .contentType : nil
        case (14, FoldedWord.tLength): startsWith(FoldedWord.conten, 6, range, input) ? .contentLength : nil
        case (17, FoldedWord.encoding):
            startsWith(FoldedWord.transfer, 8, range, input) && input[range.lowerBound + 8] == 0x2D
                ? .transferEncoding : nil
        default: nil
        }
    }

    @inline(__always)
    private static func startsWith(_ word: UInt64, _ count: Int, _ range: Range<Int>, _ input: Span<UInt8>) -> Bool {
        FoldedWord.word(at: range.lowerBound..<range.lowerBound + count, of: input) == word
    }
}
