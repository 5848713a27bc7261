// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Detects the dot segments `.` and `..` (RFC 3986 section 3.3), even if they are escaped.
///
/// A server might decode a path more than once and then access a file outside its folder. Dot segments are therefore
/// rejected however often they are escaped, and also after an escaped slash. `a..b` and `...` are ordinary names.
enum DotSegments {
    /// Returns the first dot segment as written, or nil if there is none.
    static func first(in path: some StringProtocol) -> String? {
        // Nearly all paths contain neither character, so they do not have to be split.
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return nil }
        return path.utf8.split(separator: UInt8(ascii: "/")).first { isDotted(Array($0)) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func isDotted(_ segment: [UInt8]) -> Bool {
        let pieces = unescapeWholly(segment).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return pieces.contains { $0.count <= 2 && $0.allSatisfy { $0 == UInt8(ascii: ".") } }
    }

    /// Decodes all escapes, including those that result from decoding, in one pass. A decoded byte can complete
    /// another escape only at the end of the output so far. Dots and slashes never occur within an escape, so none is
    /// lost.
    private static func unescapeWholly(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        for byte in bytes {
            decoded.append(byte)
            while decoded.count > 2, let byte = PercentEscape.byte(at: decoded.count - 3, in: decoded.span) {
                decoded.removeLast(3)
                decoded.append(byte)
            }
        }
        return decoded
    }
}
