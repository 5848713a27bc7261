// SPDX-License-Identifier: Apache-2.0

/// The places of a request where a pattern has markers of redaction.
///
/// A request and a pattern that it matches have the same key under the pattern's mask, as what is at these places is
/// left out of it; so patterns with one mask are found by one look-up, however many they are. What has the same key need
/// not match: patterns with the same key are compared one by one.
struct RedactionMask: Sendable, Hashable {
    private var query: [Place] = []
    private var body = Body.any
    private var headers: [Place] = []

    /// One place, and how much of what is there is in the key.
    struct Place: Sendable, Hashable {
        /// The name of a pair, the way to a JSON string, the number of a part or of a header.
        var name: [UInt8]
        var cut: ValueMask
    }

    private enum Body: Sendable, Hashable {
        case any
        case none
        case equal(BodyPattern.Kind, [Place])
    }

    /// The mask of a pattern; `nil` if there can be none, because the name of a pair is redacted.
    init?(_ pattern: RequestPattern, _ options: MatchingOptions) {
        if options.fields.contains(.query), let canonical = pattern.query {
            guard let places = MaskedPairs.places(canonical) else { return nil }
            query = places
        }
        switch options.fields.contains(.body) ? pattern.body : .any {
        case .any: body = .any
        case .none: body = .none
        case .equal(let kind, let canonical):
            guard let places = Self.places(kind, canonical) else { return nil }
            body = .equal(kind, places)
        }
        for (index, value) in HeaderKey.values(of: options.headerNames, in: pattern.headers).enumerated() {
            guard let value, let cut = ValueMask(value[...]) else { continue }
            headers.append(Place(name: Array("\(index)".utf8), cut: cut))
        }
    }

    /// The kind of body that a request must have; `nil` if it decides nothing, or must be none.
    var bodyKind: BodyPattern.Kind? {
        if case .equal(let kind, _) = body { kind } else { nil }
    }

    /// The key of a pattern.
    func key(of pattern: RequestPattern, _ options: MatchingOptions) -> [UInt8]? {
        var canonical: [UInt8]?
        if case .equal(_, let bytes) = pattern.body { canonical = bytes }
        return key(
            query: options.fields.contains(.query) ? pattern.query ?? [] : [],
            body: canonical,
            headers: HeaderKey.values(of: options.headerNames, in: pattern.headers)
        )
    }

    /// The key of a request; `nil` if it can match no pattern with this mask.
    func key(of request: CanonicalRequest, _ content: Span<UInt8>) -> [UInt8]? {
        let canonical: [UInt8]?
        switch body {
        case .any: canonical = nil
        case .none:
            guard content.isEmpty else { return nil }
            canonical = nil
        case .equal(let kind, _):
            guard !content.isEmpty else { return nil }
            canonical = kind == .bytes ? [UInt8](copying: content) : request.form(kind)
            if canonical == nil { return nil }
        }
        return key(query: request.query, body: canonical, headers: request.headerValues)
    }

    private func key(query: [UInt8], body canonical: [UInt8]?, headers values: [[UInt8]?]) -> [UInt8]? {
        var key: [UInt8] = []
        key.reserveCapacity(query.count + (canonical?.count ?? 0) + 16)
        guard MaskedPairs.append(query, self.query, to: &key) else { return nil }
        key.append(0)
        if case .equal(let kind, let places) = body, let canonical {
            guard Self.append(kind, canonical, places, to: &key) else { return nil }
        }
        for (index, value) in values.enumerated() {
            key.append(0)
            guard let value else { continue }
            key.append(UInt8(ascii: ":"))
            guard let place = headers.first(where: { $0.name.elementsEqual("\(index)".utf8) }) else {
                key.append(contentsOf: value)
                continue
            }
            guard place.cut.append(value[...], to: &key) else { return nil }
        }
        return key
    }

    private static func places(_ kind: BodyPattern.Kind, _ canonical: [UInt8]) -> [Place]? {
        switch kind {
        case .bytes: ValueMask(canonical[...]).map { [Place(name: [], cut: $0)] } ?? []
        case .json: MaskedJSON.places(canonical)
        case .form: MaskedPairs.places(canonical)
        case .multipart: MaskedParts.places(canonical)
        }
    }

    private static func append(
        _ kind: BodyPattern.Kind,
        _ canonical: [UInt8],
        _ places: [Place],
        to key: inout [UInt8]
    ) -> Bool {
        switch kind {
        case .json where !places.isEmpty: return MaskedJSON.append(canonical, places, to: &key)
        case .form: return MaskedPairs.append(canonical, places, to: &key)
        case .multipart: return MaskedParts.append(canonical, places, to: &key)
        case .bytes, .json:
            if let place = places.first { return place.cut.append(canonical[...], to: &key) }
            key.append(contentsOf: canonical)
            return true
        }
    }
}

/// How much of a value with markers is in a key: the start and the end that the pattern spells out, or as much of them
/// that patterns have few different cuts.
struct ValueMask: Sendable, Hashable {
    private var prefix: Int
    private var suffix: Int

    /// Nothing of the value.
    static let all = ValueMask(prefix: 0, suffix: 0)

    private init(prefix: Int, suffix: Int) {
        self.prefix = prefix
        self.suffix = suffix
    }

    /// The cut of a pattern's value; `nil` if it holds no marker.
    init?(_ value: ArraySlice<UInt8>) {
        guard let text = WildcardText(value) else { return nil }
        self.init(prefix: Self.count(text.prefixCount), suffix: Self.count(text.suffixCount))
    }

    /// Appends what is left of a value; `false` if there is too little of it.
    func append(_ value: ArraySlice<UInt8>, to key: inout [UInt8]) -> Bool {
        guard value.count >= prefix + suffix else { return false }
        key.append(contentsOf: value.prefix(prefix))
        key.append(0)
        key.append(contentsOf: value.suffix(suffix))
        return true
    }

    /// Exact for short texts; else a power of two, 4096 at most.
    private static func count(_ count: Int) -> Int {
        guard count > 16 else { return count }
        return min(4096, 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount))
    }
}
