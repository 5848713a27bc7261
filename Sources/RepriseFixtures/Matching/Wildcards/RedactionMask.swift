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

    /// The ways to the JSON strings that the mask leaves out.
    var jsonWays: [[UInt8]] {
        if case .equal(.json, let places) = body { places.map(\.name) } else { [] }
    }

    /// The key of a pattern.
    func key(of pattern: RequestPattern, _ options: MatchingOptions) -> [UInt8]? {
        var key: [UInt8] = []
        let query = options.fields.contains(.query) ? pattern.query ?? [] : []
        guard MaskedPairs.append(query, self.query, to: &key) else { return nil }
        key.append(0)
        if case .equal(let kind, let places) = body, case .equal(_, let canonical) = pattern.body {
            let strings = JSONStrings.ranges(of: Set(jsonWays), in: canonical)
            guard Self.append(kind, canonical, places, strings, to: &key) else { return nil }
        }
        let values = HeaderKey.values(of: options.headerNames, in: pattern.headers)
        return appendHeaders(values, to: &key) ? key : nil
    }

    /// The key of a request; `nil` if it can match no pattern with this mask.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - content: Its body.
    ///   - strings: Where in its JSON the strings at ``jsonWays`` are.
    func key(
        of request: CanonicalRequest,
        _ content: Span<UInt8>,
        _ strings: [[UInt8]: Range<Int>]
    ) -> [UInt8]? {
        var key: [UInt8] = []
        guard MaskedPairs.append(request.query, query, to: &key) else { return nil }
        key.append(0)
        switch body {
        case .any: break
        case .none: guard content.isEmpty else { return nil }
        case .equal(.bytes, let places):
            guard !content.isEmpty, Self.append(content, places, to: &key) else { return nil }
        case .equal(let kind, let places):
            guard !content.isEmpty, let canonical = request.form(kind),
                Self.append(kind, canonical, places, strings, to: &key)
            else { return nil }
        }
        return appendHeaders(request.headerValues, to: &key) ? key : nil
    }

    private func appendHeaders(_ values: [[UInt8]?], to key: inout [UInt8]) -> Bool {
        for (index, value) in values.enumerated() {
            key.append(0)
            guard let value else { continue }
            key.append(UInt8(ascii: ":"))
            guard let place = headers.first(where: { $0.name.elementsEqual("\(index)".utf8) }) else {
                key.append(contentsOf: value)
                continue
            }
            guard place.cut.append(value[...], to: &key) else { return false }
        }
        return true
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
        _ strings: [[UInt8]: Range<Int>],
        to key: inout [UInt8]
    ) -> Bool {
        switch kind {
        case .json where !places.isEmpty: return MaskedJSON.append(canonical, places, strings, to: &key)
        case .form: return MaskedPairs.append(canonical, places, to: &key)
        case .multipart: return MaskedParts.append(canonical, places, to: &key)
        case .bytes: return append(canonical.span, places, to: &key)
        case .json:
            key.append(contentsOf: canonical)
            return true
        }
    }

    /// Appends a body of bytes. Of a large one the ends and the length will do, as what is found is compared anyway.
    private static func append(_ content: Span<UInt8>, _ places: [Place], to key: inout [UInt8]) -> Bool {
        if let place = places.first { return place.cut.append(content, to: &key) }
        key.append(contentsOf: "\(content.count):".utf8)
        return ValueMask.ends(of: content.count).append(content, to: &key)
    }
}

/// How much of a value with markers is in a key: the start and the end that the pattern spells out, or as much of them
/// that patterns have few different cuts.
struct ValueMask: Sendable, Hashable {
    private var prefix: Int
    private var suffix: Int

    /// Nothing of the value.
    static let all = ValueMask(prefix: 0, suffix: 0)

    /// All but the start and the end of a long value.
    static func ends(of count: Int) -> ValueMask {
        ValueMask(prefix: min(4096, count / 2), suffix: min(4096, count - count / 2))
    }

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
        append(value.span, to: &key)
    }

    /// Appends what is left of a value; `false` if there is too little of it.
    func append(_ value: Span<UInt8>, to key: inout [UInt8]) -> Bool {
        guard value.count >= prefix + suffix else { return false }
        for index in 0..<prefix { key.append(value[index]) }
        key.append(0)
        for index in value.count - suffix..<value.count { key.append(value[index]) }
        return true
    }

    /// Exact for short texts; else a power of two, 4096 at most.
    private static func count(_ count: Int) -> Int {
        guard count > 16 else { return count }
        return min(4096, 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount))
    }
}
