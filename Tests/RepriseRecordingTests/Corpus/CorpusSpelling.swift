// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The spellings of a text in a document.
enum CorpusSpelling {
    static func apply(_ filter: String, to text: String) -> String {
        switch filter {
        case "percent": percent(text, keeping: "-._~")
        case "form": percent(text, keeping: "-._*").replacing("%20", with: "+")
        case "percentall": text.utf8.map { "%" + hex(Int($0), 2).uppercased() }.joined()
        case "json": json(text)
        case "jsonall": text.utf16.map { "\\u" + hex(Int($0), 4) }.joined()
        case "slashes": text.replacing("/", with: "\\/")
        case "xml": xml(text)
        case "htmlall": text.unicodeScalars.map { "&#\($0.value);" }.joined()
        case "htmlhex": text.unicodeScalars.map { "&#x" + hex(Int($0.value), 2) + ";" }.joined()
        case "base64": Data(text.utf8).base64EncodedString()
        case "base64url": base64url(Data(text.utf8))
        case "gzipbase64": Data(Deflate.gzip(Array(text.utf8))).base64EncodedString()
        case "hex": text.utf8.map { hex(Int($0), 2) }.joined()
        case "upper": text.uppercased()
        case "last4": String(text.suffix(4))
        case "reverse": String(text.reversed())
        default: fatalError("expected a filter, found \(filter)")
        }
    }

    /// Returns the bytes of a body in an encoding.
    static func encode(_ text: String, _ encoding: String?) -> [UInt8] {
        switch encoding {
        case nil: Array(text.utf8)
        case "utf-16le": text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        case "utf-16be": text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        case "utf-16": [0xFF, 0xFE] + encode(text, "utf-16le")
        case "utf-8-bom": [0xEF, 0xBB, 0xBF] + Array(text.utf8)
        case "gzip": Deflate.gzip(Array(text.utf8))
        case "base64": Array(Data(base64Encoded: text) ?? Data())
        default: fatalError("expected an encoding, found \(encoding ?? "")")
        }
    }

    static func base64url(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func percent(_ text: String, keeping marks: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            let isKept = byte < 0x80 && (character.isLetter || character.isNumber || marks.contains(character))
            return isKept ? String(character) : "%" + hex(Int(byte), 2).uppercased()
        }
        .joined()
    }

    private static func json(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            .replacing("\r", with: "\\r").replacing("\t", with: "\\t")
    }

    private static func xml(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    private static func hex(_ number: Int, _ count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}

/// Compresses with the fixed Huffman codes (RFC 1951 section 3.2.6) and no repetitions, so that no text is left in
/// clear.
enum Deflate {
    /// Returns the content in gzip (RFC 1952).
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = [true, true, false]
        for byte in bytes {
            append(byte < 144 ? 0x30 + Int(byte) : 0x190 + Int(byte) - 144, byte < 144 ? 8 : 9, to: &bits)
        }
        append(0, 7, to: &bits)
        var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        for start in stride(from: 0, to: bits.count, by: 8) {
            result.append(
                bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) { $0 | ($1.1 ? 1 << $1.0 : 0) }
            )
        }
        for number in [checksum(bytes), UInt32(bytes.count)] {
            for shift in stride(from: 0, to: 32, by: 8) { result.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        return result
    }

    private static func append(_ code: Int, _ count: Int, to bits: inout [Bool]) {
        for bit in (0..<count).reversed() { bits.append(code >> bit & 1 == 1) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
