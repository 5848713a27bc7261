// SPDX-License-Identifier: Apache-2.0

/// Regular expressions of Java, spelled for Foundation.
package enum JavaPatternText {
    /// Returns an expression in which each `}` that closes nothing is escaped. Java takes it as text, and Foundation
    /// rejects it.
    package static func escaped(_ source: String) -> String {
        let bytes = Array(source.utf8)
        guard bytes.contains(UInt8(ascii: "}")) else { return source }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let end = endOfUnit(bytes, index)
            if bytes[index] == UInt8(ascii: "}") { result.append(UInt8(ascii: "\\")) }
            result += bytes[index..<end]
            index = end
        }
        return String(decoding: result, as: UTF8.self)
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
