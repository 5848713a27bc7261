// SPDX-License-Identifier: Apache-2.0

/// The syntax of `host` or `host:port` (RFC 3986 section 3.2). User information is invalid (RFC 9110 section 4.2.4).
public enum AuthoritySyntax {
    /// Whether the bytes of `input` in `range` are a non-empty host with an optional port up to 65535.
    ///
    /// - Parameter requiresPort: Whether the port is required, as in the target of CONNECT (RFC 9112 section 3.2.3).
    ///   The default is false.
    public static func isValid(_ range: Range<Int>, of input: Span<UInt8>, requiresPort: Bool = false) -> Bool {
        guard let hostEnd = endOfHost(range, of: input) else { return false }
        if hostEnd == range.upperBound { return !requiresPort }
        guard input[hostEnd] == Byte.colon else { return false }
        let port = hostEnd + 1..<range.upperBound
        if port.isEmpty { return !requiresPort }
        guard let number = FieldValue.decimal(at: port, of: input) else { return false }
        return number <= 65535
    }

    /// Returns the end of the host, or nil if it is missing or malformed.
    private static func endOfHost(_ range: Range<Int>, of input: Span<UInt8>) -> Int? {
        guard let first = range.first else { return nil }
        if input[first] == Byte.openBracket { return endOfLiteral(range, of: input) }
        var index = first
        while index < range.upperBound, input[index] != Byte.colon {
            if input[index] == Byte.percent {
                guard range.upperBound - index > 2, input[index + 1].hexadecimalValue != nil,
                    input[index + 2].hexadecimalValue != nil
                else { return nil }
                index += 3
            } else {
                guard input[index].isRegisteredName else { return nil }
                index += 1
            }
        }
        return index == first ? nil : index
    }

    /// Returns the end of an address in brackets, or nil if it is malformed.
    private static func endOfLiteral(_ range: Range<Int>, of input: Span<UInt8>) -> Int? {
        var close = range.lowerBound + 1
        while close < range.upperBound, input[close] != Byte.closeBracket { close += 1 }
        guard close < range.upperBound else { return nil }
        let address = range.lowerBound + 1..<close
        return isIPv6(address, of: input) || isFutureAddress(address, of: input) ? close + 1 : nil
    }

    /// IPv6address: eight groups of up to four digits, with `::` for at most one run of groups. The last two may be
    /// an IPv4 address.
    private static func isIPv6(_ range: Range<Int>, of input: Span<UInt8>) -> Bool {
        var groups = 0
        var isCompressed = false
        var index = range.lowerBound
        if range.count >= 2, input[index] == Byte.colon {
            guard input[index + 1] == Byte.colon else { return false }
            isCompressed = true
            index += 2
        }
        while index < range.upperBound {
            let start = index
            while index < range.upperBound, input[index].hexadecimalValue != nil { index += 1 }
            if index < range.upperBound, input[index] == Byte.period {
                guard isIPv4(start..<range.upperBound, of: input) else { return false }
                groups += 2
                break
            }
            guard 1...4 ~= index - start else { return false }
            groups += 1
            if index == range.upperBound { break }
            guard input[index] == Byte.colon, index + 1 < range.upperBound else { return false }
            index += 1
            if input[index] == Byte.colon {
                guard !isCompressed else { return false }
                isCompressed = true
                index += 1
            }
        }
        return isCompressed ? groups < 8 : groups == 8
    }

    private static func isIPv4(_ range: Range<Int>, of input: Span<UInt8>) -> Bool {
        var parts = 0
        var index = range.lowerBound
        while true {
            let start = index
            while index < range.upperBound, input[index].isDigit { index += 1 }
            guard 1...3 ~= index - start, let part = FieldValue.decimal(at: start..<index, of: input), part < 256 else {
                return false
            }
            parts += 1
            if index == range.upperBound { return parts == 4 }
            guard input[index] == Byte.period else { return false }
            index += 1
        }
    }

    /// IPvFuture: `v`, hexadecimal digits, a period, and the address itself.
    private static func isFutureAddress(_ range: Range<Int>, of input: Span<UInt8>) -> Bool {
        guard let first = range.first, input[first].lowercased == UInt8(ascii: "v") else { return false }
        var index = first + 1
        while index < range.upperBound, input[index].hexadecimalValue != nil { index += 1 }
        guard index > first + 1, index < range.upperBound - 1, input[index] == Byte.period else { return false }
        for rest in index + 1..<range.upperBound {
            guard input[rest].isRegisteredName || input[rest] == Byte.colon else { return false }
        }
        return true
    }
}
