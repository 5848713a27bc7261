// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Redacts secrets in URLs (RFC 3986): the password in the user information, the values in the query and the fragment
/// whose names suggest a secret, and text anywhere that looks like a secret.
package struct URLRedaction {
    private let text: TextRedaction
    private let encoded: TextRedaction
    private let rules: RedactionRules

    /// - Parameter isEncoded: Whether markers are percent-encoded, for URLs that clients read. The default is
    ///   `false`.
    package init(_ redaction: Redaction, isEncoded: Bool = false) {
        rules = redaction.rules
        text = TextRedaction(redaction, isEncoded: isEncoded)
        encoded = TextRedaction(redaction, isEncoded: true)
    }

    /// Returns the URL with its secrets redacted.
    func redacted(url: String) -> String {
        String(decoding: redacted(Array(url.utf8)), as: UTF8.self)
    }

    /// Returns the URL, absolute or not, with its secrets redacted.
    package func redacted(_ url: [UInt8]) -> [UInt8] {
        var origin: [UInt8] = []
        return redacted(url, knownOrigin: &origin)
    }

    /// Returns the URL with its secrets redacted.
    ///
    /// - Parameter knownOrigin: The scheme and authority of an earlier URL, which contain no secret. If the origin of
    ///   this URL contains none either, it becomes the known origin.
    func redacted(_ url: [UInt8], knownOrigin: inout [UInt8]) -> [UInt8] {
        var path = url[...]
        var output: [UInt8] = []
        if let start = Self.endOfScheme(url) {
            let slice = url[...]
            let host = UserInformation(slice.span, at: start)?.range.upperBound ?? start
            let end = url[host...].firstIndex { $0 == UInt8(ascii: "/") || Self.startsFields($0) } ?? url.count
            let origin = url[..<end]
            if knownOrigin.elementsEqual(origin) {
                output = knownOrigin
            } else {
                output = url[..<start] + redacted(authority: url[start..<end])
                if output.elementsEqual(origin) { knownOrigin = output }
            }
            path = url[end...]
        }
        let fields = path.firstIndex(where: Self.startsFields) ?? path.endIndex
        output += withoutSecrets(path[..<fields], isPath: true)
        guard fields < path.endIndex else { return output }
        let names = PathNames(String(decoding: path[..<fields], as: UTF8.self)).names(inRequest: true)
        return output + redacted(fields: path[fields...], names)
    }

    private static func startsFields(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func endOfScheme(_ url: [UInt8]) -> Int? {
        if url.starts(with: "//".utf8) { return 2 }
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")), url[colon...].starts(with: "://".utf8) else {
            return nil
        }
        return colon + 3
    }

    private func redacted(authority: ArraySlice<UInt8>) -> [UInt8] {
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return withoutSecrets(authority) }
        let user = authority[..<at]
        // Brackets are only valid around an IP address here.
        guard let colon = user.firstIndex(of: UInt8(ascii: ":")), colon + 1 < at else {
            return (encoded.withoutSecrets(Array(user)) ?? Array(user)) + authority[at...]
        }
        let password = Array(user[(colon + 1)...])
        // A password that was redacted before stays.
        guard NamedValue.isSecret(password.span, isLikely: false) else { return Array(authority) }
        return user[...colon] + encoded.marker(ofWhole: password, SecretNames.Verdict()) + authority[at...]
    }

    /// Redacts the pairs after `?` and `#`, which are separated by `&`.
    private func redacted(fields: ArraySlice<UInt8>, _ names: PathNames) -> [UInt8] {
        var output: [UInt8] = []
        var companions = SignatureCompanions.ranges(
            inPairs: fields,
            .query,
            rules.names,
            isRequest: !text.isEncoded
        )[...]
        var index = fields.startIndex
        while index < fields.endIndex {
            let next = fields[(index + 1)...].firstIndex { $0 == UInt8(ascii: "&") || Self.startsFields($0) }
            let end = next ?? fields.endIndex
            output.append(fields[index])
            let pair = fields[(index + 1)..<end]
            let redacted = redacted(pair: pair, names)
            if let companion = companions.first, index < companion.lowerBound, companion.upperBound == end {
                companions.removeFirst()
                if redacted.elementsEqual(pair) {
                    output += pair[..<companion.lowerBound]
                    output += text.marker(ofWhole: Array(fields[companion]), SecretNames.Verdict(), isSearched: false)
                    index = end
                    continue
                }
            }
            output += redacted
            index = end
        }
        return output
    }

    private func redacted(pair: ArraySlice<UInt8>, _ names: PathNames) -> [UInt8] {
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return withoutSecrets(pair) }
        let value = pair[(equals + 1)...]
        guard let marker = marker(ofNamed: pair[..<equals], value, names) else {
            let name = pair[..<equals]
            let isIdentifier = value.count >= TextSigns.minimumToken && IdentifierName.names(name.span)
            let redacted = redacted(fieldsInValue: value, names)
            return withoutSecrets(pair[...equals])
                + (redacted ?? withoutSecrets(value, isIdentifier: isIdentifier))
        }
        return pair[...equals] + marker
    }

    /// Redacts a signature and its companions in a value that consists of fields, as in the links of Akamai:
    /// `st=1767470768~exp=1767474368~acl=/*~hmac=8f14e45f…`. Returns `nil` if the value has another form.
    private func redacted(fieldsInValue value: ArraySlice<UInt8>, _ names: PathNames) -> [UInt8]? {
        guard value.contains(UInt8(ascii: "~")) else { return nil }
        let parts = value.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
        var fields = SignedFields(.query)
        for part in parts {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            fields.add(name: part[..<equals], value: part[(equals + 1)...], rules.names)
        }
        guard fields.isSigned else { return nil }
        let companions = fields.companions
        let output = parts.enumerated().map { number, part -> [UInt8] in
            guard companions.contains(number), let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
                return redacted(pair: part, names)
            }
            let value = Array(part[(equals + 1)...])
            return part[...equals] + text.marker(ofWhole: value, SecretNames.Verdict(), isSearched: false)
        }
        return Array(output.joined(separator: "~".utf8))
    }

    /// Returns the marker that replaces a value with this name, or `nil` if the value stays.
    private func marker(
        ofNamed name: ArraySlice<UInt8>,
        _ value: ArraySlice<UInt8>,
        _ path: PathNames
    ) -> [UInt8]? {
        guard var verdict = FormText.verdict(of: name.span, in: .query, rules.names) else { return nil }
        if path.contains(.code), verdict.kind == .likelyCode { verdict.kind = .code }
        let judgment = NamedValue.judge(
            value.span,
            at: 0,
            before: value.count,
            isLast: true,
            verdict: verdict,
            isText: true,
            isEnd: { _ in false }
        )
        return judgment == .secret ? text.marker(ofWhole: Array(value), verdict) : nil
    }

    /// Also finds secrets that are percent-encoded. In that case, the whole segment between two slashes is redacted.
    private func withoutSecrets(
        _ part: ArraySlice<UInt8>,
        isPath: Bool = false,
        isIdentifier: Bool = false
    ) -> [UInt8] {
        let part = text.withoutSecrets(Array(part), isPath: isPath, isIdentifier: isIdentifier) ?? Array(part)
        guard part.contains(UInt8(ascii: "%")) else { return part }
        let segments = part.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return Array(segments.map { withoutEncodedSecrets($0, isIdentifier) }.joined(separator: "/".utf8))
    }

    private func withoutEncodedSecrets(_ segment: ArraySlice<UInt8>, _ isIdentifier: Bool) -> [UInt8] {
        let decoded = FormText.decoded(segment.span)
        let cuts = text.cuts(in: decoded, isIdentifier: isIdentifier)
        guard cuts.contains(where: { !text.isStandIn(decoded[$0.range]) }) else { return Array(segment) }
        var output: [UInt8] = []
        for byte in text.marker(ofWhole: decoded, SecretNames.Verdict()) {
            // The marker keeps the authentication scheme and the space after it.
            if byte <= 0x20 { PercentEscape.append(byte, to: &output) } else { output.append(byte) }
        }
        return output
    }
}
