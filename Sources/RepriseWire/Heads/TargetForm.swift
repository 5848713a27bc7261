// SPDX-License-Identifier: Apache-2.0

/// The four forms of a request target (RFC 9112 section 3.2).
public enum TargetForm: Sendable, Hashable {
    /// `/path?query`.
    case origin
    /// `http://authority/path?query`.
    case absolute
    /// `host:port`, with CONNECT only.
    case authority
    /// `*`, with OPTIONS only.
    case asterisk
}

extension RequestHead {
    /// Splits the target into its parts. Returns false if the target has no form that is valid for the method. `mark`
    /// is the offset of its first `?`.
    @inline(__always)
    mutating func splitTarget(mark: Int?, of input: Span<UInt8>) -> Bool {
        guard !FieldName.matchesExactly(method, of: input, "CONNECT") else { return splitAuthority(input) }
        guard input[target.lowerBound] != Byte.slash else {
            form = .origin
            splitPath(from: target.lowerBound, mark: mark)
            return true
        }
        return splitRareTarget(mark: mark, of: input)
    }

    private mutating func splitRareTarget(mark: Int?, of input: Span<UInt8>) -> Bool {
        if target.count == 1, input[target.lowerBound] == Byte.asterisk {
            form = .asterisk
            path = target
            return FieldName.matchesExactly(method, of: input, "OPTIONS")
        }
        return splitAbsolute(mark: mark, of: input)
    }

    private mutating func splitAuthority(_ input: Span<UInt8>) -> Bool {
        form = .authority
        authority = target
        path = target.upperBound..<target.upperBound
        return AuthoritySyntax.isValid(target, of: input, requiresPort: true)
    }

    /// Splits a target in absolute-form with an authority. Other absolute URIs (`urn:x`) cannot be served over HTTP.
    private mutating func splitAbsolute(mark: Int?, of input: Span<UInt8>) -> Bool {
        var index = target.lowerBound
        guard input[index].isLetter else { return false }
        while index < target.upperBound, input[index] != Byte.colon {
            guard input[index].isSchemeCharacter else { return false }
            index += 1
        }
        let start = index + 3
        guard start < target.upperBound, input[index + 1] == Byte.slash, input[index + 2] == Byte.slash else {
            return false
        }
        var end = start
        while end < target.upperBound, input[end] != Byte.slash, input[end] != Byte.question { end += 1 }
        form = .absolute
        authority = start..<end
        splitPath(from: end, mark: mark)
        return AuthoritySyntax.isValid(start..<end, of: input)
    }

    @inline(__always)
    private mutating func splitPath(from start: Int, mark: Int?) {
        guard let mark else {
            path = start..<target.upperBound
            return
        }
        path = start..<mark
        query = mark + 1..<target.upperBound
    }
}

extension UInt8 {
    /// A character of a scheme (RFC 3986 section 3.1).
    fileprivate var isSchemeCharacter: Bool {
        isLetter || isDigit || self == 0x2B || self == 0x2D || self == 0x2E
    }
}

extension FieldName {
    /// Whether the bytes match exactly, because methods are case-sensitive.
    @inline(__always)
    fileprivate static func matchesExactly(_ range: Range<Int>, of input: Span<UInt8>, _ text: String) -> Bool {
        guard range.count == text.utf8.count else { return false }
        var index = range.lowerBound
        for byte in text.utf8 {
            guard input[index] == byte else { return false }
            index += 1
        }
        return true
    }
}
