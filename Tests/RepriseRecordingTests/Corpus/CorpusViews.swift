// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseContentCoding

/// Everything that a text can mean: itself, and what is left of it when escapes and encodings are undone.
///
/// This is written without the scanners that it checks.
enum CorpusViews {
    /// Returns the bytes and all their decodings, up to three in a row.
    static func all(of bytes: [UInt8]) -> [[UInt8]] {
        var known: Set<[UInt8]> = [bytes]
        var latest = [bytes]
        for _ in 0..<3 {
            var next: [[UInt8]] = []
            for bytes in latest {
                for view in decodings(of: bytes) where known.insert(view).inserted { next.append(view) }
            }
            latest = next
        }
        return Array(known)
    }

    private static func decodings(of bytes: [UInt8]) -> [[UInt8]] {
        [percent(bytes), json(bytes), html(bytes), wide(bytes), base64(bytes), gunzip(bytes)].compactMap { $0 }
            .filter { $0 != bytes && !$0.isEmpty }
    }

    /// Returns a body decompressed and in UTF-8, as far as the corpus uses encodings.
    static func plain(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = gunzip(bytes) ?? bytes
        return wide(bytes) ?? bytes
    }

    static func gunzip(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return nil }
        var inflater = Inflater(.gzip)
        inflater.append(bytes)
        var result: [UInt8] = []
        while let piece = try? inflater.next(), !piece.isEmpty { result += piece }
        return result
    }

    private static func percent(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "%")) else { return nil }
        return replace(in: bytes) { index in
            bytes[index] == UInt8(ascii: "%") ? number(bytes, index + 1, 2).map { ([UInt8($0)], 3) } : nil
        }
    }

    private static func json(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "\\")) else { return nil }
        return replace(in: bytes) { index in
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else { return nil }
            switch bytes[index + 1] {
            case UInt8(ascii: "u"): return number(bytes, index + 2, 4).map { (utf8($0), 6) }
            case UInt8(ascii: "n"): return ([0x0A], 2)
            case UInt8(ascii: "r"): return ([0x0D], 2)
            case UInt8(ascii: "t"): return ([0x09], 2)
            default: return ([bytes[index + 1]], 2)
            }
        }
    }

    private static let entities: [(name: [UInt8], value: UInt8)] = [
        (Array("&amp;".utf8), 0x26), (Array("&lt;".utf8), 0x3C), (Array("&gt;".utf8), 0x3E),
        (Array("&quot;".utf8), 0x22), (Array("&apos;".utf8), 0x27),
    ]

    private static func html(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "&")) else { return nil }
        return replace(in: bytes) { index in
            guard bytes[index] == UInt8(ascii: "&") else { return nil }
            for entity in entities where bytes[index...].starts(with: entity.name) {
                return ([entity.value], entity.name.count)
            }
            guard let end = bytes[index...].prefix(10).firstIndex(of: UInt8(ascii: ";")), end > index + 2,
                bytes[index + 1] == UInt8(ascii: "#")
            else { return nil }
            let text = String(decoding: bytes[(index + 2)..<end], as: UTF8.self)
            let value = text.lowercased().hasPrefix("x") ? Int(text.dropFirst(), radix: 16) : Int(text)
            return value.map { (utf8($0), end - index + 1) }
        }
    }

    /// The text without the zeros of UTF-16.
    private static func wide(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.count { $0 == 0 } * 4 > bytes.count ? bytes.filter { $0 != 0 } : nil
    }

    /// All parts in Base64, in both alphabets, decoded.
    private static func base64(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var start = 0
        for index in 0...bytes.count {
            if index < bytes.count, isBase64(bytes[index]) { continue }
            if index - start >= 8 { result += decoded(Array(bytes[start..<index])) + [0x0A] }
            start = index + 1
        }
        return result.isEmpty ? nil : result
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber || "+/-_".contains(character))
    }

    private static func decoded(_ run: [UInt8]) -> [UInt8] {
        let text = String(decoding: run, as: UTF8.self)
        let data = base64url(text.dropLast(text.count % 4 == 1 ? 1 : 0))
        return data.map { data in gunzip(Array(data)) ?? Array(data) } ?? []
    }

    /// Decodes Base64 in either alphabet without padding.
    static func base64url(_ text: Substring) -> Data? {
        let text = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }

    private static func replace(
        in bytes: [UInt8],
        _ decoded: (Int) -> (bytes: [UInt8], count: Int)?
    ) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let part = decoded(index) {
                result += part.bytes
                index += part.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int? {
        guard start + count <= bytes.count else { return nil }
        return Int(String(decoding: bytes[start..<(start + count)], as: UTF8.self), radix: 16)
    }

    private static func utf8(_ number: Int) -> [UInt8] {
        Array(String(UnicodeScalar(UInt32(number)).map { Character($0) } ?? "?").utf8)
    }
}

extension [UInt8] {
    /// The number of places where a text occurs.
    ///
    /// - Parameter alone: Whether letters and digits may not adjoin the text.
    func places(of text: [UInt8], alone: Bool) -> Int {
        guard let first = text.first, count >= text.count else { return 0 }
        var found = 0
        for start in 0...(count - text.count) where self[start] == first {
            guard self[start..<(start + text.count)].elementsEqual(text) else { continue }
            if alone, start > 0, Self.isWord(self[start - 1]), Self.isWord(first) { continue }
            if alone, start + text.count < count, Self.isWord(self[start + text.count]),
                Self.isWord(text[text.count - 1])
            {
                continue
            }
            found += 1
        }
        return found
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    }
}
