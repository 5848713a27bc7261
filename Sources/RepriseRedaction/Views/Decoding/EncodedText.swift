// SPDX-License-Identifier: Apache-2.0

internal import RepriseContentCoding
internal import RepriseText

/// Text in Base64, in the standard alphabet or that of URLs (RFC 4648).
enum EncodedText {
    static let alphabet = ByteSet.word.union(ByteSet("+/-"))

    /// The value of each character of either alphabet; 64 for others.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, byte) in characters.utf8.enumerated() { values[Int(byte)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()

    /// Whether the first characters can encode text, or what was compressed with gzip. Rules out almost everything that
    /// is not Base64.
    static func mayEncodeText(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let values = values[...]
        return mayEncodeText(bytes, range, values.span)
    }

    private static func mayEncodeText(_ bytes: Span<UInt8>, _ range: Range<Int>, _ values: Span<UInt8>) -> Bool {
        // Compressed text.
        if isCompressed(bytes, range) { return true }
        var index = range.lowerBound
        /// The number of bytes that continue a character of UTF-8.
        var rest = 0
        while index &+ 4 <= range.upperBound, index &- range.lowerBound < 24 {
            var group: UInt32 = 0
            for offset in 0..<4 {
                let value = values[Int(bytes[index &+ offset])]
                guard value < 64 else { return true }
                group = group << 6 | UInt32(value)
            }
            for shift: UInt32 in [16, 8, 0] {
                let byte = UInt8(truncatingIfNeeded: group >> shift)
                // A zero is half of a character in UTF-16.
                if byte < 0x80 {
                    guard byte >= 0x20 || byte == 0 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
                        return false
                    }
                    guard rest == 0, byte != 0x7F else { return false }
                } else if byte < 0xC0 {
                    guard rest > 0 else { return false }
                    rest &-= 1
                } else {
                    // The byte order mark of UTF-16 has bytes that do not occur in UTF-8.
                    if index == range.lowerBound, byte >= 0xFE { return true }
                    guard rest == 0, byte < 0xF5 else { return false }
                    rest = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
                }
            }
            index &+= 4
        }
        return true
    }

    /// Returns the text that `range` encodes, or `nil` if it does not encode text.
    static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
        guard mayEncodeText(bytes, range) else { return nil }
        let whole = copy(bytes, range)
        guard let content = Base64.decodeLeniently(whole[...]) else { return nil }
        if isCompressed(bytes, range) { return decompressed(content) }
        return isText(content) ? content : nil
    }

    /// Base64 of the first bytes of gzip (RFC 1952 section 2.3).
    private static let gzipStart = Array("H4sI".utf8)

    /// Whether the text in `range` is Base64 of what was compressed with gzip.
    static func isCompressed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        bytes.has(gzipStart, at: range.lowerBound)
    }

    /// Returns the start of what was compressed with gzip, up to the size of a text that is scanned as a whole.
    private static func decompressed(_ content: [UInt8]) -> [UInt8]? {
        var inflater = Inflater(.gzip)
        inflater.append(content)
        var text: [UInt8] = []
        while text.count < DecodedViews.budget, let bytes = try? inflater.next() { text += bytes }
        return text.isEmpty ? nil : text
    }

    private static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for index in range { copy.append(bytes[index]) }
        return copy
    }

    /// Whether all characters are printable.
    private static func isText(_ text: [UInt8]) -> Bool {
        guard text.count >= 6 else { return false }
        let slice = text[...]
        if TextEncoding.wide(slice.span) != nil { return true }
        for byte in text where byte < 0x20 || byte == 0x7F {
            guard byte == 0x0A || byte == 0x0D || byte == 0x09 else { return false }
        }
        return UTF8Sequence.isValid(text)
    }

    /// Whether a value is Base64 of a user name and a password.
    static func isCredentials(_ value: Span<UInt8>) -> Bool {
        guard value.count >= 8, let text = text(value, value.indices) else { return false }
        return password(in: text, isNamed: true) != nil
    }

    /// The words before the colon of an identifier: `cursor:…`, `gid:…`.
    private static let identifierTypes = Set(words: [
        "cursor", "gid", "id", "item", "node", "offset", "order", "page", "post", "product", "uid", "urn",
    ])

    /// Returns the password in `user:password`.
    ///
    /// - Parameter isNamed: Whether a name suggests that the text contains a password. Otherwise, it must look random,
    ///   and the user name must not look like the type of an object: `Order:7d4f…`.
    static func password(in text: [UInt8], isNamed: Bool) -> Range<Int>? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text.count <= 512,
            text.allSatisfy({ $0 > 0x20 && !"{}\"<>".utf8.contains($0) }), colon + 1 < text.count,
            !text[colon...].starts(with: "://".utf8)
        else { return nil }
        let password = colon + 1..<text.count
        if isNamed { return password }
        guard colon > 0, text[..<colon].allSatisfy({ isAlphanumeric($0) || "._-@+".utf8.contains($0) }) else {
            return nil
        }
        // The identifier of an object: `Order:42`, `gid:…`.
        if text[0] &- 0x41 < 26, text[..<colon].allSatisfy({ ($0 | 0x20) &- 0x61 < 26 }) { return nil }
        if identifierTypes.contains(Array(text[..<colon])) { return nil }
        let value = text[password]
        // A short identifier in capitals, possibly after a version: `team:C061FA5PB`, `cursor:v2:A1B2C3D4`.
        let last = value.split(separator: UInt8(ascii: ":")).last ?? value
        if last.count <= 12, last.allSatisfy({ $0 &- 0x41 < 26 || isDigit($0) }) { return nil }
        guard !value.allSatisfy({ hexadecimalValue($0) != nil || $0 == UInt8(ascii: "-") }) else { return nil }
        return NamedValue.isSecret(value.span, isLikely: true) ? password : nil
    }

    /// Returns the next run of characters of Base64 at or after `start`, with its padding.
    static func run(in bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        var index = start
        while index < bytes.count {
            guard alphabet.contains(bytes[index]) else {
                index += 1
                continue
            }
            var end = index
            while end < bytes.count, alphabet.contains(bytes[end]) { end += 1 }
            if end - index >= TextSigns.minimumToken {
                var padded = end
                while padded < bytes.count, padded < end + 2, bytes[padded] == UInt8(ascii: "=") { padded += 1 }
                return index..<padded
            }
            index = end
        }
        return nil
    }
}

extension DecodedTextScanner {
    /// Looks for secrets in the parts of a text that are Base64. The whole Base64 text is the secret.
    mutating func lookAtEncodedTokens(_ text: Span<UInt8>) {
        var index = 0
        while let run = EncodedText.run(in: text, from: index) {
            // Base64 in a mail has lines of the same length.
            let end = wrappedEnd(text, run)
            lookAtEncoded(text, run.lowerBound..<end)
            index = end
        }
    }

    private mutating func lookAtEncoded(_ text: Span<UInt8>, _ range: Range<Int>) {
        var start = range.lowerBound
        // A path can contain Base64 between its slashes.
        for _ in 0..<8 {
            guard range.upperBound - start >= TextSigns.minimumToken, spend(32) else { return }
            let part = start..<range.upperBound
            if let content = EncodedText.text(text, part) { return lookAtContent(content, of: part) }
            guard let slash = text.firstIndex(of: UInt8(ascii: "/"), in: part) else { return }
            start = slash + 1
        }
    }

    private mutating func lookAtContent(_ content: [UInt8], of range: Range<Int>) {
        // Compressed content can be much larger than its spelling.
        guard spend(content.count) else { return }
        if !isIdentifier, EncodedText.password(in: content, isNamed: false) != nil { return cut(range) }
        let wasIdentifier = isIdentifier
        isIdentifier = false
        look(inside: content, spelledBy: range)
        isIdentifier = wasIdentifier
    }

    private func wrappedEnd(_ text: Span<UInt8>, _ run: Range<Int>) -> Int {
        guard 60...80 ~= run.count else { return run.upperBound }
        var end = run.upperBound
        while true {
            var next = end
            while next < text.count, text[next] == 0x0D || text[next] == 0x0A { next += 1 }
            guard next > end, next <= end + 2, let line = EncodedText.run(in: text, from: next),
                line.lowerBound == next
            else { return end }
            end = line.upperBound
            if line.count < run.count { return end }
        }
    }
}
