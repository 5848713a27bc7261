// SPDX-License-Identifier: Apache-2.0

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
        var decoded = segment
        while true {
            let pieces = decoded.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            if pieces.contains(where: { $0.count <= 2 && $0.allSatisfy { $0 == UInt8(ascii: ".") } }) { return true }
            let before = decoded.count
            decoded = unescape(decoded)
            // Each escape that is decoded makes it shorter.
            if decoded.count == before { return false }
        }
    }

    /// With its escapes decoded once.
    static func unescape(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexDigitValue, let low = bytes[index + 2].hexDigitValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }
}
