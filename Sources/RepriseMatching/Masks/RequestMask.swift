// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The places in a request where a pattern has masks.
///
/// A request and a pattern that it matches have the same key under the pattern's mask, because the key omits the text
/// at these places. All patterns with the same mask are therefore found with one lookup. Patterns with the same key
/// do not necessarily match and are compared one by one.
struct RequestMask: Sendable, Hashable {
    private var query: [Place] = []
    private var body = Body.any
    private var headers: [Place] = []
    private let headerCount: Int

    /// A place, and how much of its text is part of the key.
    struct Place: Sendable, Hashable {
        /// The name of a pair, the location of a JSON string, or the number of a part or a header field.
        var name: [UInt8]
        var mask: KeyMask
    }

    private enum Body: Sendable, Hashable {
        case any
        case none
        case equal(BodyPattern.Kind, [Place])
    }

    /// Creates the mask of a pattern. Returns `nil` if that is impossible because the name of a pair is masked.
    init?(_ pattern: RequestPattern, _ options: MatchingOptions) {
        headerCount = options.headerNames.count
        if options.fields.contains(.query), let canonical = pattern.queryText {
            guard let places = MaskedPairs.places(canonical) else { return nil }
            query = places
        }
        switch options.fields.contains(.body) ? pattern.body : .any {
        case .any: body = .any
        case .none: body = .none
        case .equal(let kind, _):
            guard let places = Self.places(kind, pattern.bodyText) else { return nil }
            body = .equal(kind, places)
        }
        for (index, value) in pattern.headerTexts(options.headerNames).enumerated() {
            guard let value, let mask = KeyMask(value) else { continue }
            headers.append(Place(name: Array("\(index)".utf8), mask: mask))
        }
    }

    /// Whether a request with the same key always matches a pattern of this mask. Otherwise it must be compared.
    var isExact: Bool {
        let bodyPlaces: [Place]
        switch body {
        case .any, .none: bodyPlaces = []
        // The key contains only parts of a large body without masks.
        case .equal(.bytes, let places):
            if places.isEmpty { return false }
            bodyPlaces = places
        // A mask never matches a line of a part's header.
        case .equal(.multipart, _): return false
        case .equal(.json, let places), .equal(.form, let places): bodyPlaces = places
        }
        return (query + bodyPlaces + headers).allSatisfy(\.mask.isExact)
    }

    var comparesBody: Bool { body != .any }

    /// The locations of the JSON strings that the mask omits.
    var jsonLocations: [[UInt8]] {
        if case .equal(.json, let places) = body { places.map(\.name) } else { [] }
    }

    func key(of pattern: RequestPattern, _ options: MatchingOptions) -> [UInt8]? {
        var key: [UInt8] = []
        let query = options.fields.contains(.query) ? pattern.query ?? [] : []
        guard MaskedPairs.append(query, self.query, to: &key) else { return nil }
        Self.end(0, of: &key)
        let start = key.count
        if case .equal(let kind, let places) = body, case .equal(_, let canonical) = pattern.body {
            let strings = JSONStrings.ranges(of: Set(jsonLocations), in: canonical)
            guard Self.append(kind, canonical, places, strings, to: &key) else { return nil }
        }
        Self.end(start, of: &key)
        let values = HeaderKey.values(of: options.headerNames, in: pattern.headers)
        return appendHeaders(values, to: &key) ? key : nil
    }

    /// Returns the key of a request, or `nil` if the request cannot match any pattern with this mask.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - strings: The ranges of the strings at ``jsonLocations`` in the request's JSON.
    func key(
        of request: CanonicalRequest,
        _ strings: [[UInt8]: Range<Int>]
    ) -> [UInt8]? {
        var key: [UInt8] = []
        guard MaskedPairs.append(request.query, query, to: &key) else { return nil }
        Self.end(0, of: &key)
        let start = key.count
        switch body {
        case .any: break
        case .none: guard request.content.isEmpty else { return nil }
        case .equal(.bytes, let places):
            guard !request.content.isEmpty, Self.append(request.content, places, to: &key) else { return nil }
        case .equal(let kind, let places):
            guard !request.content.isEmpty, let canonical = request.form(kind),
                Self.append(kind, canonical, places, strings, to: &key)
            else { return nil }
        }
        Self.end(start, of: &key)
        return appendHeaders(request.headerValues, to: &key) ? key : nil
    }

    private func appendHeaders(_ values: [[UInt8]?], to key: inout [UInt8]) -> Bool {
        for index in 0..<headerCount {
            let start = key.count
            if index < values.count, let value = values[index] {
                key.append(UInt8(ascii: ":"))
                if let place = headers.first(where: { $0.name.elementsEqual("\(index)".utf8) }) {
                    guard place.mask.append(value[...], to: &key) else { return false }
                } else {
                    key.append(contentsOf: value)
                }
            }
            Self.end(start, of: &key)
        }
        return true
    }

    /// Ends the section of a key that starts at `start` by appending its length, so that different requests never
    /// have the same key by accident.
    private static func end(_ start: Int, of key: inout [UInt8]) {
        let count = UInt32(truncatingIfNeeded: key.count - start)
        for shift in [0, 8, 16, 24] as [UInt32] { key.append(UInt8(truncatingIfNeeded: count >> shift)) }
    }

    private static func places(_ kind: BodyPattern.Kind, _ canonical: MaskedText) -> [Place]? {
        switch kind {
        case .bytes: KeyMask(canonical).map { [Place(name: [], mask: $0)] } ?? []
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

    /// Appends a body of bytes. For a large body, only its ends and length are used, because candidates are compared
    /// anyway.
    private static func append(_ content: Span<UInt8>, _ places: [Place], to key: inout [UInt8]) -> Bool {
        if let place = places.first { return place.mask.append(content, to: &key) }
        key.append(contentsOf: "\(content.count):".utf8)
        return KeyMask.ends(of: content.count).append(content, to: &key)
    }
}
