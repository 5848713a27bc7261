// SPDX-License-Identifier: Apache-2.0

/// A numeric address that can be compared with a network.
package struct IPAddress: Hashable, Sendable {
    /// The 4 or 16 bytes of the address.
    package let bytes: [UInt8]

    /// Parses an address such as `192.0.2.1` or `2001:db8::1`, without brackets. A zone is ignored.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.contains(UInt8(ascii: ":")) else {
            guard let bytes = Self.version4(text) else { return nil }
            self.bytes = bytes
            return
        }
        guard let bytes = Self.version6(text.prefix { $0 != "%" }) else { return nil }
        // An IPv4-mapped IPv6 address is treated as the IPv4 address (RFC 4291 section 2.5.5.2).
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// Whether the first `length` bits are those of `network`.
    package func isIn(_ network: IPAddress, prefixLength length: Int) -> Bool {
        guard bytes.count == network.bytes.count, 0...bytes.count * 8 ~= length else { return false }
        let whole = length / 8
        guard bytes[..<whole] == network.bytes[..<whole] else { return false }
        let rest = length % 8
        return rest == 0 || (bytes[whole] ^ network.bytes[whole]) >> (8 - rest) == 0
    }

    /// Whether the address is that of the same machine (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// Whether the address stands for all addresses of a machine: `0.0.0.0` or `::`.
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Returns the bytes of an IPv4 address such as `192.0.2.1`.
    package static func version4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            // Some parsers read a number with a leading zero as octal, others as decimal.
            let isPlain = part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0")
            return isPlain && part.utf8.allSatisfy(isDigit) ? UInt8(part) : nil
        }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    /// Returns the bytes of an IPv6 address (RFC 4291 section 2.2), without brackets and zone.
    package static func version6(_ text: some StringProtocol) -> [UInt8]? {
        let halves: [[UInt8]]
        if let gap = text.firstRange(of: "::") {
            guard let front = groups(text[..<gap.lowerBound], isEnd: false), let back = groups(text[gap.upperBound...])
            else {
                return nil
            }
            halves = [front, back]
        } else {
            guard let all = groups(text[...]) else { return nil }
            halves = [all]
        }
        let missing = 16 - halves.reduce(0) { $0 + $1.count }
        guard halves.count == 2 ? missing >= 2 : missing == 0 else { return nil }
        return halves[0] + [UInt8](repeating: 0, count: missing) + (halves.count == 2 ? halves[1] : [])
    }

    /// - Parameter isEnd: Whether the last two groups can be an IPv4 address.
    private static func groups(_ text: some StringProtocol, isEnd: Bool = true) -> [UInt8]? {
        if text.isEmpty { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if isEnd, index == parts.count - 1, let last = version4(part) {
                bytes += last
            } else {
                guard part.utf8.count <= 4, part.utf8.allSatisfy({ hexadecimalValue($0) != nil }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(truncatingIfNeeded: group)]
            }
        }
        return bytes
    }
}
