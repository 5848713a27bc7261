// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A value that stands behind a name in some text, as far as it tells where the value ends.
struct PairValue: Sendable {
    /// What ends a value.
    enum End: Sendable, Hashable {
        /// A double quote behind so many backslashes: none in JSON, one in JSON that is a string of JSON, three in that.
        case quote(slashes: Int)
        /// A quote in another spelling, such as `%22`, unless the second stands before it.
        case token([UInt8], escape: [UInt8])
        /// What ends a parameter of a URL; percent-encoded so and so often where the URL is a parameter itself.
        case delimiter(percents: Int?)
    }

    private let end: End
    /// Whether a line end ends it too: the next line is another record.
    private let endsAtLine: Bool
    /// How many backslashes stand before the place where it goes on.
    private var slashes = 0

    init(_ end: End, endsAtLine: Bool) {
        self.end = end
        self.endsAtLine = endsAtLine
    }

    /// Follows the value from `start` on.
    ///
    /// - Returns: where it ends, or how far it goes for sure.
    mutating func follow(_ bytes: Span<UInt8>, from start: Int, isLast: Bool) -> (stop: Int, isOver: Bool) {
        switch end {
        case .quote(let count): return followQuote(bytes, start, isLast, count)
        case .token(let token, let escape): return followToken(bytes, start, isLast, token, escape)
        case .delimiter(let percents): return Self.followParameter(bytes, start, isLast, percents)
        }
    }

    /// Each level of escaping doubles the backslashes and adds one, so that a quote of the value itself has one more than
    /// twice as many; any other ends this string, or one further out.
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
        // The last backslashes may belong to the quote.
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
                    // What is escaped is of this value.
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
    /// The byte that an escape stands for that was itself percent-encoded `percents` times, as `%2522` was once.
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

    /// How often the escape at `index` was percent-encoded, three times at most.
    static func level(at index: Int, in bytes: Span<UInt8>) -> Int? {
        for level in 0...3 {
            if let byte = nested(at: index, level, in: bytes), byte != UInt8(ascii: "%") { return level }
        }
        return nil
    }
}

extension Span<UInt8> {
    /// Whether `text` stands at `index`; no text stands anywhere.
    func has(_ text: [UInt8], at index: Int) -> Bool {
        guard !text.isEmpty, index >= 0, index + text.count <= count else { return false }
        for offset in text.indices where self[index + offset] != text[offset] { return false }
        return true
    }
}
