// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Text in Base64, in the standard alphabet or that of URLs (RFC 4648).
enum EncodedText {
    private static let alphabet = ByteSet.word.union(ByteSet("+/-"))
    /// The number of characters from which the content is judged.
    private static let judged = 24

    /// Returns the text that `range` encodes, or `nil` if it does not encode text.
    static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
        let start = copy(bytes, range.lowerBound..<min(range.upperBound, range.lowerBound + judged))
        guard let first = Base64.decodeLeniently(start.prefix(start.count / 4 * 4)), isText(first, isWhole: false)
        else { return nil }
        let whole = copy(bytes, range)
        guard let text = Base64.decodeLeniently(whole[...]), isText(text, isWhole: true) else { return nil }
        return text
    }

    private static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for index in range { copy.append(bytes[index]) }
        return copy
    }

    /// Whether all characters are printable. The last one can be cut.
    private static func isText(_ text: [UInt8], isWhole: Bool) -> Bool {
        guard text.count >= 6 else { return false }
        let slice = text[...]
        if TextEncoding.wide(slice.span) != nil { return true }
        for byte in text where byte < 0x20 || byte == 0x7F {
            guard byte == 0x0A || byte == 0x0D || byte == 0x09 else { return false }
        }
        if UTF8Sequence.isValid(text) { return true }
        return !isWhole && (1...3).contains { UTF8Sequence.isValid(text.dropLast($0)) }
    }

    /// Whether a value is Base64 of a user name and a password.
    static func isCredentials(_ value: Span<UInt8>) -> Bool {
        guard value.count >= 8, let text = text(value, value.indices) else { return false }
        return password(in: text, isNamed: true) != nil
    }

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
        let value = text[password]
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

extension ViewScan {
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
        guard let content = EncodedText.text(text, range) else {
            // A path can contain Base64 between its slashes.
            guard let slash = text.firstIndex(of: UInt8(ascii: "/"), in: range), slash + 12 < range.upperBound else {
                return
            }
            guard spend(64) else { return }
            return lookAtEncoded(text, slash + 1..<range.upperBound)
        }
        guard spend(range.count) else { return }
        if EncodedText.password(in: content, isNamed: false) != nil { return cut(range) }
        look(inside: content, spelledBy: range)
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
