// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The texts of one recording that stand for values of the recorded traffic, and what each of them means.
///
/// Any spelling of a text in a request is found: with any characters percent-encoded, and with the escapes of JSON. A
/// text is searched for only while a recording is loaded, never while a request is answered.
package final class StandInTexts: Sendable {
    /// The file of the recording. After a reload, equal texts of the same file stand for the same values.
    package let source: String
    /// The texts, by their numbers.
    package let entries: [Entry]
    /// The numbers of the markers.
    private let markers: [ExactText: Int32]
    /// The other texts by their first two bytes.
    private let others: [UInt16: Texts]
    private let firstBytes: ByteSet

    /// A text with its meaning.
    package struct Entry: Sendable, Hashable {
        /// The text in the recording.
        package var text: String
        /// What it stands for.
        package var meaning: Meaning
        /// Whether the text first occurs in a response, which means that clients get its value from the server.
        package var isHandedOut = false
        /// What clients receive for it, and therefore send.
        package var received: [UInt8]

        /// Creates an entry.
        ///
        /// - Parameter received: The default is the text itself.
        package init(_ text: String, _ meaning: Meaning, isHandedOut: Bool = false, received: [UInt8]? = nil) {
            self.text = text
            self.received = received ?? Array(text.utf8)
            self.meaning = meaning
            self.isHandedOut = isHandedOut
        }
    }

    /// Texts that are looked up by their content, so that a table of many tokens with the same start is fast.
    private struct Texts: Sendable {
        private(set) var entries: [ArraySlice<UInt8>: Int32] = [:]
        /// The lengths of the texts, the longest first.
        private(set) var lengths: [Int] = []
        /// The bytes that occur in the texts.
        private(set) var bytes = ByteSet()

        mutating func insert(_ text: [UInt8], _ entry: Int32) {
            entries[text[...]] = entry
            for byte in text { bytes.insert(byte) }
            guard !lengths.contains(text.count) else { return }
            lengths.append(text.count)
            lengths.sort(by: >)
        }
    }

    /// What a text stands for.
    package enum Meaning: Sendable, Hashable {
        /// Any value.
        case anyValue
        /// One secret, wherever the text occurs.
        case secret
        /// This text, which would otherwise be a marker.
        case literal(String)
    }

    /// Creates a table of texts, each of which occurs once.
    package init(_ entries: [Entry], source: String) {
        self.source = source
        self.entries = entries
        var markers: [ExactText: Int32] = [:]
        var others: [UInt16: Texts] = [:]
        var firstBytes = ByteSet()
        for (index, entry) in entries.enumerated() {
            if RedactionMarker.isMarker(entry.text) {
                markers[entry.text] = Int32(index)
            } else if let key = Self.key(Array(entry.text.utf8.prefix(2))) {
                others[key, default: Texts()].insert(Array(entry.text.utf8), Int32(index))
                firstBytes.insert(UInt8(key >> 8))
            }
        }
        self.markers = markers
        self.others = others
        self.firstBytes = firstBytes
    }

    /// Whether a text stands for a literal.
    package var hasLiterals: Bool {
        entries.contains { if case .literal = $0.meaning { true } else { false } }
    }

    /// Returns the numbers of the entries whose texts occur in `bytes`.
    package func entries(in bytes: Span<UInt8>) -> Set<Int> {
        Set(masks(in: bytes).compactMap { $0.standIn.map(Int.init) })
    }

    /// Returns the ranges of all texts in `bytes`, in order and without overlaps.
    package func ranges(in bytes: Span<UInt8>) -> [Range<Int>] {
        masks(in: bytes).map(\.range)
    }

    /// Returns the places of all texts, in order and without overlaps.
    package func masks(in bytes: Span<UInt8>) -> [Mask] {
        guard let narrow = Self.narrowed(bytes) else { return masks(inNarrow: bytes) }
        return masks(inNarrow: narrow.span).map { mask in
            Mask(mask.range.lowerBound * 2..<mask.range.upperBound * 2, standIn: mask.standIn)
        }
    }

    /// Returns one byte for each unit of a text in UTF-16 that starts with a byte order mark or with ASCII; `nil` for
    /// any other text.
    private static func narrowed(_ bytes: Span<UInt8>) -> [UInt8]? {
        guard bytes.count >= 4, bytes.count.isMultiple(of: 2) else { return nil }
        let low: Int
        switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE): low = 0
        case (0xFE, 0xFF): low = 1
        case (1..., 0) where bytes[3] == 0: low = 0
        case (0, 1...) where bytes[2] == 0: low = 1
        default: return nil
        }
        return stride(from: 0, to: bytes.count, by: 2).map { unit in
            // No stand-in contains this byte.
            bytes[unit + 1 - low] == 0 ? bytes[unit + low] : 0xFF
        }
    }

    private func masks(inNarrow bytes: Span<UInt8>) -> [Mask] {
        Mask.all(in: bytes) { mask(at: $0, in: bytes) }
    }

    private func mask(at index: Int, in bytes: Span<UInt8>) -> Mask? {
        let byte = bytes[index]
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "%"), !markers.isEmpty,
            let end = RedactionMarker.end(at: index, in: bytes)
        {
            let text = RedactionMarker.text([UInt8](bytes: bytes.extracting(index..<end))[...])
            return markers[text].map { Mask(index..<end, standIn: $0) }
        }
        let isEscape = byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\")
        guard !others.isEmpty, isEscape || firstBytes.contains(byte) else { return nil }
        let (first, next) = Self.decodedByte(at: index, in: bytes)
        guard next < bytes.count else { return nil }
        let key = UInt16(first) << 8 | UInt16(Self.decodedByte(at: next, in: bytes).byte)
        guard let texts = others[key], let longest = texts.lengths.first else { return nil }
        var decoded: [UInt8] = []
        // The end of each decoded byte.
        var ends: [Int] = []
        var end = index
        while decoded.count < longest, end < bytes.count {
            let (byte, next) = Self.decodedByte(at: end, in: bytes)
            guard texts.bytes.contains(byte) else { break }
            decoded.append(byte)
            ends.append(next)
            end = next
        }
        for length in texts.lengths where length <= decoded.count {
            guard let entry = texts.entries[decoded[..<length]],
                length >= Self.longText || isWord(index..<ends[length - 1], in: bytes)
            else { continue }
            return Mask(index..<ends[length - 1], standIn: entry)
        }
        return nil
    }

    /// The length from which a text that is not a marker is found anywhere. A shorter text could be a part of a longer
    /// word or number by accident.
    private static let longText = 12

    /// Whether neither a letter nor a digit precedes or follows a range.
    private func isWord(_ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        if range.upperBound < bytes.count, isAlphanumeric(bytes[range.upperBound]) { return false }
        return !Self.isWordByte(before: range.lowerBound, in: bytes)
    }

    /// Whether a letter or a digit precedes `index` that is not the end of an escape.
    private static func isWordByte(before index: Int, in bytes: Span<UInt8>) -> Bool {
        guard index > 0, isAlphanumeric(bytes[index - 1]) else { return false }
        if index >= 3, let byte = PercentEscape.byte(at: index - 3, in: bytes) { return isAlphanumeric(byte) }
        return index < 2 || bytes[index - 2] != UInt8(ascii: "\\")
    }

    /// Returns the byte at `index` without percent-encoding and JSON escapes, and the index after it.
    private static func decodedByte(at index: Int, in bytes: Span<UInt8>) -> (byte: UInt8, next: Int) {
        let byte = bytes[index]
        if byte == UInt8(ascii: "%"), let decoded = PercentEscape.byte(at: index, in: bytes) {
            return (decoded, index + 3)
        }
        guard byte == UInt8(ascii: "\\") else { return (byte, index + 1) }
        var end = index
        while end < bytes.count, bytes[end] == UInt8(ascii: "\\") { end += 1 }
        guard end < bytes.count else { return (byte, index + 1) }
        if bytes[end] == UInt8(ascii: "/") { return (UInt8(ascii: "/"), end + 1) }
        guard bytes[end] == UInt8(ascii: "u"), end + 4 < bytes.count, bytes[end + 1] == UInt8(ascii: "0"),
            bytes[end + 2] == UInt8(ascii: "0"), let high = hexadecimalValue(bytes[end + 3]), high < 8,
            let low = hexadecimalValue(bytes[end + 4])
        else { return (byte, index + 1) }
        return (high << 4 | low, end + 5)
    }

    private static func key(_ prefix: [UInt8]) -> UInt16? {
        prefix.count == 2 ? UInt16(prefix[0]) << 8 | UInt16(prefix[1]) : nil
    }
}

// MARK: - Neutral texts

// For the lookup of requests, every stand-in has the same text, except that the name of a marker is kept. It needs no
// escape in any part of a request.
extension StandInTexts {
    private static let neutralStart = Array("~redacted".utf8)

    func neutralText(of entry: Int32) -> [UInt8] {
        var text = Self.neutralStart
        let own = entries[Int(entry)].text
        if RedactionMarker.isMarker(own), let colon = own.utf8.firstIndex(of: UInt8(ascii: ":")) {
            text += own.utf8[colon...].prefix { $0 != UInt8(ascii: "~") && $0 != UInt8(ascii: "]") }
        }
        return text + [UInt8(ascii: "~")]
    }

    /// The neutral text of a number in JSON, which is itself a number. Canonical numbers never have this form.
    private static let neutralNumber = Array("-0e-0731".utf8)

    /// Returns the replacement for a number, where `text` replaces the other stand-ins.
    static func number(for text: [UInt8]) -> [UInt8] {
        text.starts(with: neutralStart) ? neutralNumber : text
    }

    /// Returns the places of neutral texts.
    static func neutralMasks(in bytes: Span<UInt8>) -> [Mask] {
        Mask.all(in: bytes) { index in
            let isNumber = bytes[index] == neutralNumber[0] && bytes.has(neutralNumber, at: index)
            return (isNumber ? index + neutralNumber.count : neutralEnd(at: index, in: bytes)).map { Mask(index..<$0) }
        }
    }

    private static func neutralEnd(at start: Int, in bytes: Span<UInt8>) -> Int? {
        guard bytes.has(neutralStart, at: start), start + neutralStart.count < bytes.count else { return nil }
        var end = start + neutralStart.count
        if bytes[end] == UInt8(ascii: ":") {
            end += 1
            while end < bytes.count, isAlphanumeric(bytes[end]) || "-_.".utf8.contains(bytes[end]) { end += 1 }
        }
        return end < bytes.count && bytes[end] == UInt8(ascii: "~") ? end + 1 : nil
    }
}
