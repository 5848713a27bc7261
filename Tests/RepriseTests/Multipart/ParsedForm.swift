// SPDX-License-Identifier: Apache-2.0

@testable import Reprise

/// A multipart form as parsed by a server (RFC 2046 section 5.1.1).
///
/// The parser shares no code with the encoder under test.
struct ParsedForm {
    struct Part: Equatable {
        var name: String?
        var filename: String?
        var type: String?
        var content: [UInt8]

        var text: String { String(decoding: content, as: UTF8.self) }
    }

    var parts: [Part] = []

    /// Returns nil if the body isn't a valid multipart form.
    init?(_ body: [UInt8], type: String?) {
        guard let type, type.hasPrefix("multipart/form-data; boundary=") else { return nil }
        let delimiter = Array("\r\n--\(type.dropFirst("multipart/form-data; boundary=".count))".utf8)
        let pieces = (Array("\r\n".utf8) + body)[...].pieces(between: delimiter)
        guard pieces.count > 1, pieces[0].isEmpty, pieces.last.map(Array.init) == Array("--\r\n".utf8) else {
            return nil
        }
        for piece in pieces.dropFirst().dropLast() {
            guard let part = Part(piece) else { return nil }
            parts.append(part)
        }
    }

    subscript(_ name: String) -> Part? { parts.first { $0.name == name } }
}

extension ParsedForm.Part {
    init?(_ bytes: ArraySlice<UInt8>) {
        let pieces = bytes.pieces(between: Array("\r\n\r\n".utf8))
        guard pieces.count > 1, bytes.starts(with: Array("\r\n".utf8)) else { return nil }
        content = Array(bytes[pieces[1].startIndex...])
        for line in pieces[0].dropFirst(2).pieces(between: Array("\r\n".utf8)) {
            let line = String(decoding: line, as: UTF8.self)
            if line.hasPrefix("Content-Type: ") {
                type = String(line.dropFirst(14))
            } else if line.hasPrefix("Content-Disposition: form-data; ") {
                name = Self.parameter("name", of: line)
                filename = Self.parameter("filename", of: line)
            } else {
                return nil
            }
        }
    }

    /// Returns the value of a parameter, after decoding the escapes of browsers and of quoted strings.
    private static func parameter(_ name: String, of line: String) -> String? {
        let bytes = Array(line.utf8)
        let start = Array("; \(name)=\"".utf8)
        guard var rest = bytes[...].pieces(between: start).dropFirst().first else { return nil }
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        // Search for bytes, because an escape and a combining accent after it form a single character.
        for code in [0x22] + Array(0..<0x20) + [0x7F] {
            let escape = "%" + (code < 16 ? "0" : "") + String(code, radix: 16, uppercase: true)
            value = Array(value[...].pieces(between: Array(escape.utf8)).joined(separator: [UInt8(code)]))
        }
        return String(decoding: value, as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// The slices between the occurrences of `delimiter`.
    fileprivate func pieces(between delimiter: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = startIndex
        var index = startIndex
        while index + delimiter.count <= endIndex {
            if self[index] == delimiter[0], self[index..<index + delimiter.count].elementsEqual(delimiter) {
                pieces.append(self[start..<index])
                index += delimiter.count
                start = index
            } else {
                index += 1
            }
        }
        return pieces + [self[start...]]
    }
}
