// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the companions of signatures, see ``SignedFields``.
enum SignatureCompanions {
    /// Returns the ranges of values in a form, or in the pairs after `?` and `#`, that are replaced because of other
    /// pairs: the companions of a signature, the password beside a user (`u=x&p=y&db=z` in InfluxDB, `u=x&p=y&c=…&v=…`
    /// in Subsonic), and a value that another pair declares to be secret (`key=x&value=y&masked=true`). A time that
    /// prevents caching (`_=1767470768123`) is replaced too.
    ///
    /// - Parameter isRequest: Whether the pairs are those of a request, whose values that are new in each request are
    ///   replaced beside a secret, see ``RequestFields``. The default is `false`.
    static func ranges(
        inPairs text: ArraySlice<UInt8>,
        _ place: SignedFields.Place,
        _ names: SecretNames,
        isRequest: Bool = false
    ) -> [Range<Int>] {
        guard text.contains(UInt8(ascii: "=")) else { return [] }
        var fields = SignedFields(place)
        var ranges: [Range<Int>] = []
        var (others, passwords): ([Range<Int>], [Range<Int>]) = ([], [])
        var letters: Set<UInt8> = []
        var hasDatabase = false
        var declaration: SecretDeclaration = []
        var declared: [Range<Int>] = []
        var fresh: [Range<Int>] = []
        for pair in text.split(whereSeparator: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") || $0 == 0x23 }) {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = pair[(equals + 1)...]
            let name = pair[..<equals]
            fields.add(name: decoded(name), value: decoded(value), names)
            let range = value.startIndex..<value.endIndex
            ranges.append(range)
            if isRequest,
                RequestFields.isFresh(decoded(value).span, of: decoded(name).span, in: place.field, names)
            {
                fresh.append(range)
            }
            if name.elementsEqual("db".utf8) { hasDatabase = true }
            if value.elementsEqual("true".utf8) || value.elementsEqual("1".utf8) {
                declaration.formUnion(SecretDeclaration.flag(named: decoded(name).span))
            } else if FieldRole(name.span) == .value {
                declared.append(range)
            }
            guard name.count == 1, let letter = name.first, !value.isEmpty else { continue }
            letters.insert(letter)
            if letter == UInt8(ascii: "p"), !RedactionMarker.occurs(in: value.span), !value.allSatisfy(isDigit) {
                passwords.append(range)
            }
            if letter == UInt8(ascii: "_"), value.count == 13, TimeValue.isUnixTime(value.span) { others.append(range) }
        }
        if letters.contains(UInt8(ascii: "u")), hasDatabase || letters.isSuperset(of: "cv".utf8) { others += passwords }
        if !declaration.isEmpty {
            let verdict = SecretNames.Verdict(isLikely: !declaration.contains(.secretValue))
            others += declared.filter { NamedValue.isSecret(decoded(text[$0]).span, verdict, isText: true) }
        }
        if isRequest, fields.isSigned { others += fresh.filter { !RedactionMarker.occurs(in: text[$0].span) } }
        guard !others.isEmpty else { return fields.companions.map { ranges[$0] } }
        return Set(fields.companions.map { ranges[$0] } + others).sorted { $0.lowerBound < $1.lowerBound }
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        FormText.decoded(text.span)[...]
    }

    /// Returns the numbers of the header lines whose values are companions.
    static func indexes(in headers: [HeaderLine], _ names: SecretNames) -> [Int] {
        guard headers.contains(where: maySign) else { return [] }
        var fields = SignedFields(.header)
        for line in headers {
            // Dates that any message has.
            let isCommon = common.contains { line.hasName($0) }
            fields.add(name: Array(line.name.utf8)[...], value: isCommon ? [] : Array(line.valueBytes)[...], names)
            if line.hasName("Authorization"), isSigned(line.value) { fields.sign() }
        }
        return fields.companions
    }

    /// Returns the cuts for the companions in a whole body, and for other values that depend on their siblings.
    static func cuts(in body: Span<UInt8>, isJSON: Bool, _ kind: BodyKind, _ names: SecretNames) -> [Cut] {
        if isJSON { return cuts(inJSON: body, names) }
        if case .multipart(let boundary) = kind { return cuts(inParts: body, boundary, names) }
        guard kind == .form else { return [] }
        var text: [UInt8] = []
        text.reserveCapacity(body.count)
        for index in body.indices { text.append(body[index]) }
        return ranges(inPairs: text[...], .form, names).map { Cut(range: $0, replacement: .marker(0)) }
    }

    /// Returns the cuts for the values in JSON that depend on their siblings.
    static func cuts(inJSON text: Span<UInt8>, _ names: SecretNames) -> [Cut] {
        let signs = KeySigns(text)
        return (signs.isRelevant ? ObjectSecrets.cuts(in: text, names) : [])
            + (signs.declaresSecrets ? DeclaredSecrets.cuts(in: text, names) : [])
            + (signs.hasVariables ? GraphQLVariables.cuts(in: text, names) : [])
    }

    private static func cuts(inParts body: Span<UInt8>, _ boundary: [UInt8], _ names: SecretNames) -> [Cut] {
        let parts = MultipartReader.fields(in: body, boundary: boundary).filter { $0.value.count <= maximumLength }
        var fields = SignedFields(.form)
        for part in parts {
            var value: [UInt8] = []
            for index in part.value { value.append(body[index]) }
            fields.add(name: part.name[...], value: value[...], names)
        }
        return fields.companions.map { Cut(range: parts[$0].value, replacement: .marker(0)) }
    }

    /// The maximum length of a field of a form, in bytes. A policy is the longest companion.
    private static let maximumLength = 16 << 10

    private static let common = ["Date", "Expires", "Last-Modified", "Retry-After", "If-Modified-Since"]

    /// Whether one of the header lines contains a signature.
    static func areSigned(_ headers: [HeaderLine]) -> Bool {
        headers.contains { line in
            guard maySign(line) else { return false }
            if line.hasName("Authorization") { return isSigned(line.value) }
            let name = Array(line.name.utf8)[...]
            let value = Array(line.valueBytes)[...]
            return NameWords(name.span).isOne(of: SignedFields.signatures) && RandomValue.looksRandom(value.span)
        }
    }

    /// Whether the value of a header line can be a signature, by its name.
    static func maySign(_ line: HeaderLine) -> Bool {
        let name = line.name.lowercased()
        return name == "authorization" || name.contains("sig") || name.contains("hmac")
    }

    /// Whether credentials contain a signature rather than a fixed token.
    private static func isSigned(_ credentials: String) -> Bool {
        let scheme = credentials.prefix { $0 != " " }.lowercased()
        return ["aws", "oauth", "hmac", "signature", "sharedkey", "goog4", "digest", "hawk"].contains {
            scheme.hasPrefix($0)
        }
    }
}
