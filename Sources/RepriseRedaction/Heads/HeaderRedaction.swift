// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
package import RepriseText

/// Redacts secrets in header and trailer lines.
struct HeaderRedaction {
    private let text: TextRedaction
    private let redaction: Redaction
    private var rules: RedactionRules { redaction.rules }

    /// Header fields whose values contain URLs that a client follows (RFC 9110 sections 8.7, 10.1.3, 10.2.2, RFC
    /// 8288).
    private static let urlNames = [
        "Location", "Content-Location", "Referer", "Link", "Refresh", "Origin", "X-Forwarded-Uri", "X-Original-Url",
    ]

    init(_ redaction: Redaction) {
        self.redaction = redaction
        text = TextRedaction(redaction)
    }

    /// Returns the line with its secrets redacted. The spelling of the name and the whitespace stay.
    func redacted(_ line: HeaderLine) -> HeaderLine {
        let value = Array(line.valueBytes)
        guard !value.isEmpty, let redacted = redacted(value, of: line) else { return line }
        let start = line.valueBytes.startIndex
        var result = HeaderLine(bytes: line.bytes[..<start] + redacted + line.bytes[(start + value.count)...])
        result?.note = line.note
        // Redaction always leaves a valid header line, so the fallback is never used.
        return result ?? HeaderLine(name: line.name, value: RedactionMarker.plain)
    }

    /// Returns the line with its whole value redacted.
    func hidden(_ line: HeaderLine) -> HeaderLine {
        let value = Array(line.valueBytes)
        let start = line.valueBytes.startIndex
        // Elsewhere, the same date or nonce can be harmless.
        let marker = text.marker(ofWhole: value, SecretNames.Verdict(), isSearched: false)
        var result = HeaderLine(bytes: line.bytes[..<start] + marker + line.bytes[(start + value.count)...])
        result?.note = line.note
        return result ?? HeaderLine(name: line.name, value: RedactionMarker.plain)
    }

    /// Returns the redacted value, or `nil` if it contains no secret.
    private func redacted(_ value: [UInt8], of line: HeaderLine) -> [UInt8]? {
        if line.hasName("Cookie") { return redacted(cookies: value) }
        if line.hasName("Set-Cookie") { return redacted(setCookie: value[...]) }
        let name = Array(line.name.utf8)[...]
        if let verdict = rules.names.verdict(of: name.span, in: .header) {
            if isSecret(value, verdict) { return text.marker(ofWhole: value, verdict) }
            return verdict.isLikely ? text.withoutSecrets(value) : nil
        }
        if Self.urlNames.contains(where: { line.hasName($0) }) { return redacted(urls: value) }
        let slice = value[...]
        if !rules.names.allows(name.span, in: .header), UnknownHeader.hides(slice.span, of: name.span) {
            return text.marker(ofWhole: value, SecretNames.Verdict())
        }
        return text.withoutSecrets(value)
    }

    private func isSecret(_ value: [UInt8], _ verdict: SecretNames.Verdict) -> Bool {
        let slice = value[...]
        let judgment = NamedValue.judge(
            slice.span,
            at: 0,
            before: slice.count,
            isLast: true,
            verdict: verdict,
            isEnd: { _ in false }
        )
        return judgment == .secret
    }

    // MARK: Cookies (RFC 6265 section 4)

    private func redacted(cookies: [UInt8]) -> [UInt8] {
        let pairs = cookies.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        return Array(pairs.map(redacted(pair:)).joined(separator: ";".utf8))
    }

    /// Only the first pair is the cookie. The rest are attributes.
    private func redacted(setCookie: ArraySlice<UInt8>) -> [UInt8] {
        let end = setCookie.firstIndex(of: UInt8(ascii: ";")) ?? setCookie.endIndex
        let attributes = Array(setCookie[end...])
        return redacted(pair: setCookie[..<end]) + (text.withoutSecrets(attributes) ?? attributes)
    }

    private func redacted(pair: ArraySlice<UInt8>) -> [UInt8] {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
            // A pair without `=` can be a value without a name.
            return pair.contains { $0 > 0x20 } ? redacted(value: pair) : Array(pair)
        }
        let value = pair[(equals + 1)...]
        return pair[...equals] + (isSetting(value, of: pair[..<equals]) ? Array(value) : redacted(value: value))
    }

    /// Whether the value of a cookie can be kept: its name is on the allow-list, or is that of a setting and the value
    /// does not look random, or the name is harmless and the value is a word or a language: `csrftoken=x`,
    /// `tz=Europe%2FBerlin`, `theme=dark`, `locale=en_US`.
    private func isSetting(_ value: ArraySlice<UInt8>, of name: ArraySlice<UInt8>) -> Bool {
        let name = name.drop { $0 <= 0x20 }
        if rules.names.allows(name.span, in: .header) { return true }
        if Self.settings.contains(NameWords(name.span).letters) { return !RandomValue.looksRandom(value.span) }
        guard 2...16 ~= value.count, rules.names.verdict(of: name.span, in: .header) == nil,
            !SecretNames.shown.isSecret(String(decoding: name, as: UTF8.self), in: .header)
        else { return false }
        let words = value.split(omittingEmptySubsequences: false) { "_-".utf8.contains($0) }
        guard words.allSatisfy({ $0.allSatisfy { ($0 | 0x20) &- 0x61 < 26 } }) else { return false }
        let isLanguage = words.count == 2 && words.allSatisfy { $0.count == 2 }
        return (words.count == 1 || isLanguage) && !RandomValue.looksRandom(value.span)
    }

    /// The names of cookies that hold a setting, reduced to their letters.
    private static let settings = Set(words: ["consent", "cookieconsent", "cookieconsentstatus", "timezone", "tz"])

    private func redacted(value: ArraySlice<UInt8>) -> [UInt8] {
        let start = value.firstIndex { $0 > 0x20 } ?? value.endIndex
        let inner = Array(value[start...])
        guard isSecret(inner, SecretNames.Verdict()) else { return Array(value) }
        return value[..<start]
            + text.marker(ofWhole: inner, SecretNames.Verdict(), isSearched: Self.isSession(inner))
    }

    /// Whether the value of a cookie looks like a session identifier. Many other cookies are not secret.
    private static func isSession(_ value: [UInt8]) -> Bool {
        value.count >= 16 && value.contains(where: isDigit) && !value.contains(UInt8(ascii: "/"))
    }

    // MARK: URLs

    /// A URL ends at the first character that it cannot contain: Link puts it in angle brackets, Refresh after
    /// `url=`.
    private func redacted(urls value: [UInt8]) -> [UInt8]? {
        let redaction = URLRedaction(redaction, isEncoded: true)
        var output: [UInt8] = []
        var index = 0
        while index < value.count {
            let end = value[index...].firstIndex { " <>\"'".utf8.contains($0) } ?? value.count
            output += redaction.redacted(Array(value[index..<end]))
            if end < value.count { output.append(value[end]) }
            index = end + 1
        }
        return output == value ? nil : output
    }
}

/// A cache of header lines without secrets or signatures for one redaction. Servers send most of their lines again and
/// again.
package struct CleanHeaderLines {
    private let redaction: Redaction
    private var lines = [HeaderLine?](repeating: nil, count: HeaderLineCache.slotCount)

    /// Longer lines are rare and would use too much memory.
    private static let maximumLength = 1024

    /// Creates an empty cache.
    package init(_ redaction: Redaction) {
        self.redaction = redaction
    }

    /// Returns the lines with their secrets redacted.
    package mutating func redacted(_ headers: [HeaderLine]) -> [HeaderLine] {
        var output = headers
        var mayBeSigned = false
        for index in headers.indices {
            let slice = headers[index].bytes[...]
            let slot = HeaderLineCache.slot(slice.span)
            if let known = lines[slot]?.bytes[...], HeaderLineCache.isSame(known.span, slice.span) { continue }
            let redacted = redaction.redacted(headers[index])
            let maySign = SignatureCompanions.maySign(headers[index])
            mayBeSigned = mayBeSigned || maySign
            if redacted != headers[index] {
                output[index] = redacted
            } else if slice.count <= Self.maximumLength, !maySign {
                lines[slot] = redacted
            }
        }
        if mayBeSigned { redaction.redactCompanions(in: &output, of: headers) }
        return output
    }
}
