// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A value after a name in any text, with what is needed to find its end.
struct PairValue: Sendable {
    enum End: Sendable, Hashable {
        /// A double quote after this number of backslashes: none in JSON, one in JSON inside a JSON string, three one
        /// level deeper.
        case quote(slashes: Int)
        /// A quote in another spelling, such as `%22`, unless `escape` precedes it.
        case token([UInt8], escape: [UInt8])
        /// The end of a URL parameter, percent-encoded this number of times if the URL is a parameter itself.
        case delimiter(percents: Int?)
    }

    private let end: End
    /// Whether a line end also ends the value, because the next line is another record.
    private let endsAtLine: Bool
    /// The number of backslashes before the current position.
    private var slashes = 0

    /// Whether the value has no quotes.
    var isBare: Bool {
        if case .delimiter(percents: nil) = end { true } else { false }
    }

    init(_ end: End, endsAtLine: Bool) {
        self.end = end
        self.endsAtLine = endsAtLine
    }

    /// Follows the value, starting at `start`.
    ///
    /// - Returns: The end of the value, or an offset that the value is known to reach.
    mutating func follow(_ bytes: Span<UInt8>, from start: Int, isLast: Bool) -> (stop: Int, isOver: Bool) {
        switch end {
        case .quote(let count): return followQuote(bytes, start, isLast, count)
        case .token(let token, let escape): return followToken(bytes, start, isLast, token, escape)
        case .delimiter(let percents): return Self.followParameter(bytes, start, isLast, percents)
        }
    }

    /// Each level of escaping doubles the backslashes and adds one. A quote inside the value therefore has one more
    /// than twice as many backslashes. Any other quote ends this string or one that contains it.
    private mutating func followQuote(
        _ bytes: Span<UInt8>,
        _ start: Int,
        _ isLast: Bool,
        _ count: Int
    ) -> (stop: Int, isOver: Bool) {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\") {
                slashes += 1
            } else if byte == UInt8(ascii: "\""), slashes % (2 * (count + 1)) != 2 * count + 1 {
                let own = slashes % (2 * (count + 1))
                return (max(start, index - (own <= count ? own : 0)), true)
            } else if endsAtLine, byte == 0x0A || byte == 0x0D {
                return (index, true)
            } else {
                slashes = 0
            }
            index += 1
        }
        if isLast { return (index, false) }
        // The last backslashes can belong to the quote.
        let held = min(slashes, count, index - start)
        slashes -= held
        return (index - held, false)
    }

    private func followToken(
        _ bytes: Span<UInt8>,
        _ start: Int,
        _ isLast: Bool,
        _ token: [UInt8],
        _ escape: [UInt8]
    ) -> (stop: Int, isOver: Bool) {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || (endsAtLine && (byte == 0x0A || byte == 0x0D)) { return (index, true) }
            if byte == token[0] || byte == escape.first {
                if !isLast, index + escape.count + token.count > bytes.count { return (index, false) }
                if bytes.has(token, at: index) { return (index, true) }
                if bytes.has(escape, at: index) {
                    // An escaped quote is part of this value.
                    let next = index + escape.count
                    index = bytes.has(token, at: next) || bytes.has(escape, at: next) ? next + token.count : next
                    continue
                }
            }
            index += 1
        }
        return (min(index, bytes.count), false)
    }

    private static let delimiters: ByteSet = {
        var set = ByteSet("&;# \"'<>\\`")
        for byte in UInt8(0)..<0x20 { set.insert(byte) }
        return set
    }()

    private static func followParameter(
        _ bytes: Span<UInt8>,
        _ start: Int,
        _ isLast: Bool,
        _ percents: Int?
    ) -> (stop: Int, isOver: Bool) {
        let (stop, isOver) = delimiter(bytes, start, isLast, percents)
        // The period at the end of a sentence is not part of the value.
        guard stop > start, bytes[stop - 1] == UInt8(ascii: ".") else { return (stop, isOver) }
        return (stop - 1, isOver || isLast)
    }

    private static func delimiter(
        _ bytes: Span<UInt8>,
        _ start: Int,
        _ isLast: Bool,
        _ percents: Int?
    ) -> (stop: Int, isOver: Bool) {
        var index = start
        while index < bytes.count {
            if delimiters.contains(bytes[index]) { return (index, true) }
            if let percents, bytes[index] == UInt8(ascii: "%") {
                if !isLast, index + 3 + 2 * percents > bytes.count { return (index, false) }
                if let byte = PercentEscape.nested(at: index, percents, in: bytes), delimiters.contains(byte) {
                    return (index, true)
                }
            }
            index += 1
        }
        return (index, false)
    }
}

extension PercentEscape {
    /// Returns the byte of an escape that was percent-encoded `percents` more times, such as once in `%2522`.
    static func nested(at index: Int, _ percents: Int, in bytes: Span<UInt8>) -> UInt8? {
        let end = index + 3 + 2 * percents
        guard end <= bytes.count, bytes[index] == UInt8(ascii: "%") else { return nil }
        for level in 0..<percents {
            guard bytes[index + 1 + 2 * level] == UInt8(ascii: "2"), bytes[index + 2 + 2 * level] == UInt8(ascii: "5")
            else { return nil }
        }
        guard let high = hexadecimalValue(bytes[end - 2]), let low = hexadecimalValue(bytes[end - 1]) else {
            return nil
        }
        return high << 4 | low
    }

    /// Returns how many times the escape at `index` was percent-encoded, up to three.
    static func level(at index: Int, in bytes: Span<UInt8>) -> Int? {
        for level in 0...3 {
            if let byte = nested(at: index, level, in: bytes), byte != UInt8(ascii: "%") { return level }
        }
        return nil
    }
}
