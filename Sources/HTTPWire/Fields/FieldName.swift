// SPDX-License-Identifier: Apache-2.0

/// Field names (RFC 9110 section 5.1).
public enum FieldName {
    /// Whether the bytes of `input` at `range` are `name`, in any case. Nothing is allocated when `name` is a literal.
    public static func matches(_ range: Range<Int>, of input: Span<UInt8>, _ name: String) -> Bool {
        FieldValue.matches(range, of: input, name)
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

    static func isToken(_ range: Range<Int>, of input: Span<UInt8>) -> Bool {
        for index in range where !input[index].isToken { return false }
        return !range.isEmpty
    }
}

extension FieldName {
    /// The names that a parser acts on.
    enum Known: Sendable {
        case host, contentLength, contentType, transferEncoding, connection, expect
    }

    /// Which known name stands at `range`, if one does.
    ///
    /// - Parameter tail: the last eight bytes of the name, or-ed with 0x20. For token characters that folds letters and
    ///   maps nothing else onto a letter or a hyphen, so only the rest of a name needs another look.
    @inline(__always)
    static func known(_ range: Range<Int>, tail: UInt64, of input: Span<UInt8>) -> Known? {
        let (name, candidate): (String, Known)
        switch (range.count, tail) {
        case (4, 0x686F_7374): return .host
        case (6, 0x6578_7065_6374): return .expect
        case (10, 0x6E6E_6563_7469_6F6E): (name, candidate) = ("connection", .connection)
        case (12, 0x656E_742D_7479_7065): (name, candidate) = ("content-type", .contentType)
        case (14, 0x742D_6C65_6E67_7468): (name, candidate) = ("content-length", .contentLength)
        case (17, 0x656E_636F_6469_6E67): (name, candidate) = ("transfer-encoding", .transferEncoding)
        default: return nil
        }
        return matches(range, of: input, name) ? candidate : nil
    }
}
