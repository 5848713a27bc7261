// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Segments that mean "here" and "one up" (RFC 3986 section 3.3), also where they are hidden in escapes.
///
/// A server may decode a path once too often and then leave its folder, so they are refused however often they are
/// escaped, and behind an escaped slash too. `a..b` and `...` are names like any other.
enum DotSegments {
    /// The first dot segment as it is written, nil if there is none.
    static func first(in path: some StringProtocol) -> String? {
        // Nearly all paths have neither, so that nothing has to be taken apart.
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return nil }
        return path.utf8.split(separator: UInt8(ascii: "/")).first { isDotted(Array($0)) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func isDotted(_ segment: [UInt8]) -> Bool {
        let pieces = unescapeWholly(segment).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return pieces.contains { $0.count <= 2 && $0.allSatisfy { $0 == UInt8(ascii: ".") } }
    }

    /// With its escapes decoded until none is left, in one pass: what a decoded byte completes stands at the end of what
    /// there is so far. Dots and slashes are in no escape, so that none of them goes on the way.
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
