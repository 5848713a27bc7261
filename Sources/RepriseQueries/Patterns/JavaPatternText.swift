// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Translates Java's regular expressions into Foundation's syntax.
package enum JavaPatternText {
    /// Returns an expression that matches only the given text.
    package static func literal(_ text: String) -> String {
        text.unicodeScalars.map { "\\^$.|?*+()[]{}".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    /// Returns an expression in Foundation's syntax. Java treats an unmatched `}` as text, and a reference to a group
    /// that does not exist never matches. Foundation rejects both.
    package static func escaped(_ source: String) -> String {
        let bytes = Array(source.utf8)
        guard bytes.contains(where: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "\\") }) else { return source }
        var pieces = units(of: bytes)
        var (classes, groups, references) = (0, 0, [Int]())
        for (place, piece) in pieces.enumerated() {
            switch piece[piece.startIndex] {
            case UInt8(ascii: "}"): pieces[place] = Array("\\}".utf8)[...]
            case UInt8(ascii: "["): classes += 1
            case UInt8(ascii: "]"): classes = max(0, classes - 1)
            case UInt8(ascii: "(") where classes == 0: groups += isCapturing(bytes[piece.endIndex...]) ? 1 : 0
            case UInt8(ascii: "\\") where classes == 0 && piece.count == 2 && 0x31...0x39 ~= piece[piece.endIndex - 1]:
                references.append(place)
            default: break
            }
        }
        for place in references where Int(pieces[place].last ?? 0) - 0x30 > groups { pieces[place] = missingGroup }
        return String(decoding: pieces.joined(), as: UTF8.self)
    }

    /// Whether the expression ends within `\Q…\E`, which needs no `\E` there.
    static func endsInQuotation(_ source: String) -> Bool {
        guard let last = units(of: Array(source.utf8)).last, last.starts(with: "\\Q".utf8) else { return false }
        return !last.suffix(2).elementsEqual("\\E".utf8)
    }

    /// Whether the expression refers to a group that it does not have.
    package static func refersToMissingGroup(_ source: String) -> Bool {
        !source.contains("(?!)") && escaped(source).contains("(?!)")
    }

    private static let missingGroup = Array("(?!)".utf8)[...]

    /// Whether a group captures text, given what follows its parenthesis.
    private static func isCapturing(_ rest: ArraySlice<UInt8>) -> Bool {
        guard rest.starts(with: "?".utf8) else { return true }
        return rest.starts(with: "?<".utf8) && !rest.starts(with: "?<=".utf8) && !rest.starts(with: "?<!".utf8)
    }

    /// Returns the escapes, quotations, and quantifiers of an expression, and the bytes between them.
    private static func units(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var units: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            units.append(bytes[start..<endOfUnit(bytes, start)])
            start = units[units.count - 1].endIndex
        }
        return units
    }

    /// Returns the end of the escape, quotation, or quantifier at a place, or else of the byte.
    private static func endOfUnit(_ bytes: [UInt8], _ start: Int) -> Int {
        let rest = bytes[start...]
        func end(after token: String, from place: Int) -> Int? {
            ByteSearch.firstIndex(of: Array(token.utf8), in: rest, from: place).map { $0 + token.utf8.count }
        }
        switch (bytes[start], rest.dropFirst().first) {
        case (UInt8(ascii: "\\"), UInt8(ascii: "Q")?): return end(after: "\\E", from: start + 2) ?? bytes.count
        case (UInt8(ascii: "\\"), _?):
            let hasBraces = rest.dropFirst(2).first == UInt8(ascii: "{") && "pPxN".utf8.contains(bytes[start + 1])
            return hasBraces ? end(after: "}", from: start + 2) ?? bytes.count : start + 2
        case (UInt8(ascii: "{"), _):
            let isPlain = { (byte: UInt8) in UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ",")
            }
            let close = rest.dropFirst().firstIndex { !isPlain($0) } ?? bytes.count
            return close < bytes.count && bytes[close] == UInt8(ascii: "}") ? close + 1 : start + 1
        default: return start + 1
        }
    }
}
