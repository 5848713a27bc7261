// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The start of the value or group after a name and its sign.
struct PairStart {
    enum Kind {
        case none
        case value(PairValue)
        case group(PairGroup)
        /// A whole number up to this index, in JSON within other text.
        case number(end: Int)
    }

    private(set) var index: Int
    private(set) var kind = Kind.none

    /// Reads the start after the sign at `place`. Looks at no more than ``PairScanner/lookAhead`` bytes.
    init(
        behind name: PairName,
        _ sign: PairSign,
        at place: Int,
        in bytes: Span<UInt8>,
        _ context: PairScanner.Context
    ) {
        index = place + sign.length
        if !name.isParameter {
            skipSpaces(bytes, sign)
            if readQuote(bytes, context) || readGroup(name, sign, bytes, context) { return }
            if sign.isColon, name.quote != .none, readNumber(bytes) { return }
            if !sign.isColon, readList(bytes, from: place, context) { return }
            // The sign is the start of `==` or `=>`, which are not followed by a value.
            if index < bytes.count, bytes[index] == UInt8(ascii: "=") || bytes[index] == UInt8(ascii: ">") { return }
        }
        guard !sign.isColon else { return }
        kind = .value(PairValue(.delimiter(percents: sign.percents), endsAtLine: context.hasRecords))
    }

    private mutating func skipSpaces(_ bytes: Span<UInt8>, _ sign: PairSign) {
        let end = min(bytes.count, index + 16)
        while index < end {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            case UInt8(ascii: "+") where sign.percents != nil: index += 1
            case UInt8(ascii: "%") where PercentEscape.nested(at: index, sign.percents ?? 0, in: bytes) == 0x20:
                index += 3 + 2 * (sign.percents ?? 0)
            default: return
            }
        }
    }

    /// Reads the quote before a string. Returns `false` if there is no quote.
    private mutating func readQuote(_ bytes: Span<UInt8>, _ context: PairScanner.Context) -> Bool {
        var slashes = 0
        while index + slashes < bytes.count, slashes < 16, bytes[index + slashes] == UInt8(ascii: "\\") { slashes += 1 }
        if index + slashes < bytes.count, bytes[index + slashes] == UInt8(ascii: "\"") {
            // In JSON, this quote ends the string that contains the name.
            guard !context.isJSON || slashes > 0 else { return false }
            index += slashes + 1
            kind = .value(PairValue(.quote(slashes: slashes), endsAtLine: context.hasRecords))
            return true
        }
        for token in PairName.tokens where bytes.has(token.text, at: index) {
            index += token.text.count
            kind = .value(PairValue(.token(token.text, escape: token.escape), endsAtLine: context.hasRecords))
            return true
        }
        return false
    }

    /// Reads a list of values in a log up to its first value: `Authorization=[Bearer x]`. Returns `false` if the list
    /// does not end nearby.
    private mutating func readList(_ bytes: Span<UInt8>, from place: Int, _ context: PairScanner.Context) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "["), RedactionMarker.end(at: index, in: bytes) == nil
        else { return false }
        index += 1
        if let scheme = Self.schemes.first(where: { bytes.has($0, at: index) }) { index += scheme.count }
        if index < bytes.count, bytes[index] == UInt8(ascii: "\"") { index += 1 }
        let near = index..<max(index, min(bytes.count, place + PairScanner.lookAhead))
        guard bytes.firstIndex(of: UInt8(ascii: "]"), in: near) != nil else { return false }
        kind = .value(PairValue(.token([UInt8(ascii: "]")], escape: []), endsAtLine: context.hasRecords))
        return true
    }

    /// Reads a number. Fractions and exponents are not secret, and neither is a number that is too long for one.
    private mutating func readNumber(_ bytes: Span<UInt8>) -> Bool {
        var end = index
        let limit = min(bytes.count, index + Self.longestNumber)
        while end < limit, isDigit(bytes[end]) { end += 1 }
        guard end > index else { return false }
        if end < bytes.count, isAlphanumeric(bytes[end]) || ".+-_".utf8.contains(bytes[end]) { return false }
        kind = .number(end: end)
        return true
    }

    private static let schemes = ["Bearer ", "Basic ", "Token "].map { Array($0.utf8) }

    /// The maximum number of digits. They must end before ``PairScanner/lookAhead``.
    private static let longestNumber = 19

    /// Reads the start of an object or array, up to its bracket. Returns `false` if there is no bracket.
    private mutating func readGroup(
        _ name: PairName,
        _ sign: PairSign,
        _ bytes: Span<UInt8>,
        _ context: PairScanner.Context
    ) -> Bool {
        guard sign.isColon, index < bytes.count else { return false }
        let byte = PercentEscape.nested(at: index, sign.percents ?? 0, in: bytes) ?? bytes[index]
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { return false }
        if byte != bytes[index] || name.quote.isToken {
            // The names in the group say more about its values than a name that only hints.
            if name.verdict.isLikely { return true }
            // The end of this group is hard to find, so the whole parameter that contains it is redacted.
            kind = .value(PairValue(.delimiter(percents: nil), endsAtLine: context.hasRecords))
            return true
        }
        if RedactionMarker.end(at: index, in: bytes) != nil { return false }
        var slashes: Int?
        if case .double(let count) = name.quote { slashes = count }
        kind = .group(PairGroup(slashCount: slashes, endsAtLine: context.hasRecords))
        return true
    }
}

extension PairName.Quote {
    fileprivate var isToken: Bool {
        if case .token = self { true } else { false }
    }
}
