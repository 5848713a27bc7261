// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The form in which paths are compared.
///
/// Escapes of unreserved characters are decoded (RFC 3986 section 6.2.2.2). All other escapes are kept with uppercase
/// digits, and characters that are not allowed in a path are escaped. As a result, `%2F` is not a slash. Trailing
/// slashes and dot segments are significant: the path is compared as the client sent it.
package enum CanonicalPath {
    /// Whether `path` is already canonical: it is not empty, has no escapes, and needs none.
    static func isCanonical(_ path: Span<UInt8>) -> Bool {
        for index in path.indices where !isPlain(path[index]) { return false }
        return path.count > 0
    }

    /// Returns the canonical form of `path`; `/` if it is empty.
    package static func canonical(_ path: Span<UInt8>) -> [UInt8] {
        guard path.count > 0 else { return [UInt8(ascii: "/")] }
        if isCanonical(path) { return [UInt8](bytes: path) }
        var canonical: [UInt8] = []
        canonical.reserveCapacity(path.count)
        var index = 0
        while index < path.count {
            let byte = path[index]
            if isPlain(byte) {
                canonical.append(byte)
                index += 1
            } else if let escaped = PercentEscape.byte(at: index, in: path) {
                if ByteSet.unreserved.contains(escaped) {
                    canonical.append(escaped)
                } else {
                    PercentEscape.append(escaped, to: &canonical)
                }
                index += 3
            } else {
                PercentEscape.append(byte, to: &canonical)
                index += 1
            }
        }
        return canonical
    }

    /// Returns the canonical `path` with each character decoded that may be in a path unescaped, such as the `@` of
    /// `%40` or the `:` of `%3A`; `nil` if there is none.
    ///
    /// RFC 3986 calls these characters reserved: with and without the escape, they are different paths. For a route,
    /// which a person wrote as the name of a file, they are not. `%2F` and `%25` are kept, because decoding them would
    /// change the segments or add escapes.
    static func unescaped(_ path: Span<UInt8>) -> [UInt8]? {
        var index = 0
        while index < path.count, decodable(at: index, in: path) == nil { index += 1 }
        guard index < path.count else { return nil }
        var unescaped = [UInt8](bytes: path.extracting(0..<index))
        while index < path.count {
            let byte = decodable(at: index, in: path)
            unescaped.append(byte ?? path[index])
            index += byte == nil ? 1 : 3
        }
        return unescaped
    }

    @inline(__always)
    private static func decodable(at index: Int, in path: Span<UInt8>) -> UInt8? {
        guard path[index] == UInt8(ascii: "%"), let byte = PercentEscape.byte(at: index, in: path),
            byte != UInt8(ascii: "/"), isPlain(byte)
        else { return nil }
        return byte
    }

    /// Whether `byte` needs no escaping in a path: `pchar` or `/` (RFC 3986 section 3.3).
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte < 0x40 ? plainLow &>> UInt64(byte) & 1 == 1 : byte < 0x80 && plainHigh &>> UInt64(byte & 0x3F) & 1 == 1
    }

    // One bit per character: !$&'()*+,-./ 0 to 9 :;= below 0x40, @ A to Z _ a to z ~ above.
    private static let plainLow: UInt64 = 0x2FFF_FFD2_0000_0000
    private static let plainHigh: UInt64 = 0x47FF_FFFE_87FF_FFFF
}
