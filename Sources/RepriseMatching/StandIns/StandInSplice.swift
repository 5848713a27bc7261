// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Replaces stand-ins in canonical bytes, so that the result is canonical too.
struct StandInSplice {
    /// Bytes with the stand-ins in them.
    struct Text {
        var bytes: [UInt8] = []
        var masks: [Mask] = []

        fileprivate mutating func append(_ other: Text) {
            let offset = bytes.count
            bytes += other.bytes
            masks += other.masks.map { mask in
                Mask(mask.range.lowerBound + offset..<mask.range.upperBound + offset, standIn: mask.standIn)
            }
        }
    }

    /// What becomes of a stand-in.
    enum Replacement {
        /// It stays.
        case none
        /// It is still a stand-in, with another text.
        case text([UInt8])
        /// It is replaced by text that is not a stand-in.
        case literal([UInt8])
    }

    private let form: CanonicalForm
    private let source: [UInt8]
    private let found: [Mask]

    /// Finds the stand-ins in `bytes`, which have the given form.
    init(_ bytes: [UInt8], _ form: CanonicalForm, _ texts: StandInTexts) {
        self.form = form
        source = bytes
        found = texts.masks(in: bytes.span).filter { mask in
            switch form {
            case .path: !bytes[mask.range].contains(UInt8(ascii: "/"))
            case .pairs: !bytes[mask.range].contains(UInt8(ascii: "&"))
            case .json, .multipart, .text: true
            }
        }
    }

    /// The bytes as they are, with the stand-ins in them.
    var unchanged: Text { Text(bytes: source, masks: found) }

    /// Returns the bytes after the replacement of stand-ins.
    func replacing(_ replacement: (Int32) -> Replacement) -> Text {
        guard !found.isEmpty else { return unchanged }
        switch form {
        case .path, .json, .text: return part(source.indices, replacement)
        case .pairs: return pairs(replacement)
        case .multipart: return parts(replacement)
        }
    }

    private func part(_ range: Range<Int>, _ replacement: (Int32) -> Replacement) -> Text {
        var text = Text()
        var copied = range.lowerBound
        for mask in found where mask.range.lowerBound >= range.lowerBound && mask.range.upperBound <= range.upperBound {
            text.bytes += source[copied..<mask.range.lowerBound]
            copied = mask.range.upperBound
            let start = text.bytes.count
            switch mask.standIn.map(replacement) ?? .none {
            case .none: text.bytes += source[mask.range]
            case .text(let bytes):
                text.bytes += isNumber(mask.range) ? StandInTexts.number(for: bytes) : bytes
            case .literal(let bytes):
                appendLiteral(bytes, to: &text.bytes)
                continue
            }
            text.masks.append(Mask(start..<text.bytes.count, standIn: mask.standIn))
        }
        text.bytes += source[copied..<range.upperBound]
        return text
    }

    /// Whether a stand-in is a number in JSON: digits without quotes.
    private func isNumber(_ range: Range<Int>) -> Bool {
        guard range.lowerBound > 0, range.upperBound < source.count, source[range].allSatisfy(isDigit) else {
            return false
        }
        return ":[,".utf8.contains(source[range.lowerBound - 1]) && ",]}".utf8.contains(source[range.upperBound])
    }

    /// Appends the text of a literal, which is a marker, in the canonical spelling.
    private func appendLiteral(_ literal: [UInt8], to bytes: inout [UInt8]) {
        switch form {
        case .path: bytes += CanonicalPath.canonical(literal.span)
        // Nothing that a marker contains needs an escape.
        case .pairs: bytes += PercentEscape.decoded(literal.span)
        case .json, .multipart, .text: bytes += literal
        }
    }

    /// Replaces in pairs, and sorts them again.
    private func pairs(_ replacement: (Int32) -> Replacement) -> Text {
        let texts = CanonicalQuery.pairs(source.span).map {
            part($0.name.lowerBound..<$0.value.upperBound, replacement)
        }
        // The sort is stable where the order of equal pairs matters: their stand-ins keep the recorded order.
        let sorted = texts.indices.sorted { one, other in
            if texts[one].bytes == texts[other].bytes { return one < other }
            return texts[one].bytes.lexicographicallyPrecedes(texts[other].bytes)
        }
        var text = Text()
        for index in sorted {
            if !text.bytes.isEmpty { text.bytes.append(UInt8(ascii: "&")) }
            text.append(texts[index])
        }
        return text
    }

    /// Replaces in the parts of a multipart body, whose canonical form contains the number of bytes of each.
    private func parts(_ replacement: (Int32) -> Replacement) -> Text {
        var text = Text()
        for part in CanonicalMultipart.parts(source.span) {
            text.append(self.part(part.headers, replacement))
            let content = self.part(part.content, replacement)
            text.bytes += "\n\(content.bytes.count)\n".utf8
            text.append(content)
            text.bytes.append(0x0A)
        }
        return text
    }
}
