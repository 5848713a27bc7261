// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parts of elements and of the prolog.
extension XMLReader {
    mutating func comment() throws -> String { String(decoding: try until("-->"), as: UTF8.self) }

    mutating func instruction() throws -> (String, String) {
        let target = try name()
        guard target.lowercased() != "xml" else { throw Failure() }
        _ = skipBlanks()
        return (target, String(decoding: try until("?>"), as: UTF8.self))
    }

    /// Skips a document type, except for the texts of entities.
    mutating func documentType() throws {
        var quote: UInt8?
        var depth = 0
        let start = index
        while index < bytes.endIndex {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if take("<!ENTITY") {
                try entity()
                continue
            } else if take("<?") {
                _ = try instruction()
                continue
            } else if take("<!--") {
                _ = try comment()
                continue
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "]") {
                depth -= 1
            } else if byte == UInt8(ascii: ">"), depth == 0, index > start {
                index += 1
                return
            }
            index += 1
        }
        throw Failure()
    }

    /// Reads the name and the text of an entity. The first declaration counts. Parameter entities have no effect.
    private mutating func entity() throws {
        _ = skipBlanks()
        guard let name = try? self.name(), skipBlanks(), index < bytes.endIndex, entities[name] == nil else { return }
        let quote = bytes[index]
        var text: [UInt8] = []
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            index += 1
            while index < bytes.endIndex, bytes[index] != quote {
                if starts("&#") {
                    text += try reference()
                } else {
                    text.append(bytes[index])
                    index += 1
                }
            }
            guard index < bytes.endIndex else { throw Failure() }
            index += 1
        } else if !starts("SYSTEM"), !starts("PUBLIC") {
            throw Failure()
        }
        entities[name] = text
    }

    mutating func name() throws -> String {
        let start = index
        while index < bytes.endIndex, Self.isNameByte(bytes[index]) { index += 1 }
        guard index > start, !Self.isDigitOrMark(bytes[start]) else { throw Failure() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isDigitOrMark(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    mutating func attributeValue() throws -> String {
        guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            throw Failure()
        }
        let quote = bytes[index]
        index += 1
        var value: [UInt8] = []
        let depth = entityDepth
        while true {
            guard index < bytes.endIndex else {
                guard entityDepth > depth else { throw Failure() }
                try leaveEntity()
                continue
            }
            if entityDepth == depth, bytes[index] == quote { break }
            switch bytes[index] {
            case UInt8(ascii: "<"): throw Failure()
            case UInt8(ascii: "&"): value += try reference()
            // XML 1.0 section 3.3.3: white space is normalized.
            case 0x09, 0x0A, 0x0D:
                value.append(0x20)
                index += 1
            default:
                value.append(bytes[index])
                index += 1
            }
        }
        index += 1
        return String(decoding: value, as: UTF8.self)
    }

    mutating func characterData() throws -> String {
        var text: [UInt8] = []
        while index < bytes.endIndex, bytes[index] != UInt8(ascii: "<") {
            let byte = bytes[index]
            if byte == UInt8(ascii: "&") {
                text += try reference()
            } else {
                guard byte >= 0x20 || isDocumentSpace(byte) else { throw Failure() }
                text.append(byte)
                index += 1
            }
        }
        return normalized(text[...])
    }

    /// XML 1.0 section 2.11: line ends are line feeds.
    func normalized(_ text: ArraySlice<UInt8>) -> String {
        guard text.contains(0x0D) else { return String(decoding: text, as: UTF8.self) }
        var result: [UInt8] = []
        for (offset, byte) in zip(text.indices, text) {
            if byte == 0x0A, offset > text.startIndex, text[offset - 1] == 0x0D { continue }
            result.append(byte == 0x0D ? 0x0A : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Reads a reference. Returns the character, or nothing after it has entered the text of an entity.
    private mutating func reference() throws -> [UInt8] {
        let limit = min(index + 256, bytes.endIndex)
        guard let end = bytes[index..<limit].firstIndex(of: UInt8(ascii: ";")) else { throw Failure() }
        let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
        index = end + 1
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            if let text = entities[name] {
                try enterEntity(text)
                return []
            }
            guard name.hasPrefix("#") else { throw Failure() }
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            guard let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
                value >= 0x20 || [9, 10, 13].contains(value),
                let scalar = Unicode.Scalar(value)
            else { throw Failure() }
            return Array(String(Character(scalar)).utf8)
        }
    }

    /// Skips whitespace, and returns whether there was any.
    mutating func skipBlanks() -> Bool {
        let start = index
        while index < bytes.endIndex, isDocumentSpace(bytes[index]) { index += 1 }
        return index > start
    }

    func starts(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    mutating func take(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    /// Returns the bytes up to `end`, and moves past it.
    mutating func until(_ end: String) throws -> ArraySlice<UInt8> {
        let start = index
        let first = end.utf8.first
        while index < bytes.endIndex {
            if bytes[index] == first, take(end) { return bytes[start..<(index - end.utf8.count)] }
            index += 1
        }
        throw Failure()
    }
}
