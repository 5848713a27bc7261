// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The places in the requests of a sequence where recordings have stand-ins. All of its fixtures have the same places,
/// except in the header lines.
struct StandInPlaces: Sendable {
    private var path: MaskedText?
    private var query: MaskedText?
    private var body: (kind: BodyPattern.Kind, text: MaskedText)?
    private let counts: (path: Int, query: Int, body: Int)
    private let headers: [HeaderPlace]
    /// The places that are used, in the order of the parts above.
    private var used: [Int]

    /// Creates the places of patterns that are equal to `pattern`, in which all stand-ins have the same text.
    init(_ pattern: RequestPattern, headers: [HeaderPlace], fields: MatchingOptions.Fields) {
        if fields.contains(.path) { path = pattern.maskedPath }
        if fields.contains(.query) { query = pattern.maskedQuery }
        if fields.contains(.body), let text = pattern.maskedBody, case .equal(let kind, _) = pattern.body {
            body = (kind, text)
        }
        counts = (path?.maskCount ?? 0, query?.maskCount ?? 0, body?.text.maskCount ?? 0)
        self.headers = headers
        used = Array(0..<counts.path + counts.query + counts.body + headers.count)
    }

    /// Whether a used place is in the header lines.
    var readsHeaders: Bool { used.contains { $0 >= counts.path + counts.query + counts.body } }

    var count: Int { used.count }

    /// Uses only the places at these positions among those used so far.
    mutating func keep(_ positions: [Int]) {
        used = positions.map { used[$0] }
        if !used.contains(where: { $0 < counts.path }) { path = nil }
        let endOfQuery = counts.path + counts.query
        if !used.contains(where: { $0 >= counts.path && $0 < endOfQuery }) { query = nil }
        if !used.contains(where: { $0 >= endOfQuery && $0 < endOfQuery + counts.body }) { body = nil }
    }

    /// Returns the values of a request that matches, one for each used place; `nil` where it has none.
    func values(in request: RequestView, _ limits: BodyLimits, _ ignored: IgnoredParts) -> [StandInValue?] {
        var values: [StandInValue?] = []
        values.reserveCapacity(counts.path + counts.query + counts.body + headers.count)
        var captured = CapturedValues()
        if let path {
            captured.read(path, path: CanonicalPath.canonical(request.path))
        }
        captured.move(path, counts.path, to: &values)
        if let query {
            captured.read(query, pairs: ignored.removed(fromQuery: CanonicalQuery.canonical(request.query)))
        }
        captured.move(query, counts.query, to: &values)
        if let body {
            if body.kind == .bytes {
                captured.read(body.text, request.content, .text)
            } else if let content = limits.canonicalBody(body.kind, request, ignored) {
                captured.read(body.text, content, body.kind)
            }
        }
        captured.move(body?.text, counts.body, to: &values)
        let start = values.count
        for (index, place) in headers.enumerated() {
            values.append(used.contains(start + index) ? place.value(in: request) : nil)
        }
        return used.map { values[$0] }
    }

    /// Returns the place at a position among the used ones, in words.
    func description(at position: Int) -> String {
        var index = used[position]
        if index < counts.path { return "path" }
        index -= counts.path
        if index < counts.query { return "query" }
        index -= counts.query
        if index < counts.body { return "body" }
        return headers[index - counts.body].description
    }
}

/// The values at the masks of a part, by the start of the mask.
private struct CapturedValues {
    private var values: [Int: StandInValue] = [:]

    /// Appends the values at the masks of `text`, whose number is `count`, and removes them.
    mutating func move(_ text: MaskedText?, _ count: Int, to values: inout [StandInValue?]) {
        guard let text else {
            values += Array(repeating: nil, count: count)
            return
        }
        values += text.maskRanges.map { self.values[$0.lowerBound] }
        self.values = [:]
    }

    /// Reads the values of the masks of a text that `value` matches.
    mutating func read(_ text: MaskedText, _ value: Span<UInt8>, _ spelling: StandInValue.Spelling) {
        guard text.isMasked, let captures = text.captures(in: value) else { return }
        for (mask, capture) in zip(text.maskRanges, captures) {
            values[mask.lowerBound] = StandInValue(value.extracting(capture), spelling)
        }
    }

    private mutating func read(_ text: MaskedText, _ value: ArraySlice<UInt8>, _ spelling: StandInValue.Spelling) {
        read(text, value.span, spelling)
    }

    mutating func read(_ expected: MaskedText, path found: [UInt8]) {
        let segments = found.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (segment, own) in zip(expected.segments, segments) { read(segment, own, .text) }
    }

    /// Reads the values of pairs. Of several pairs with the same name, the first ones that match are taken in order.
    mutating func read(_ expected: MaskedText, pairs found: [UInt8]) {
        var others = MaskedPairing.pairs(of: MaskedText(found))
        for pair in MaskedPairing.pairs(of: expected) {
            let partner = others.firstIndex { pair.name.matches($0.name.bytes) && pair.value.matches($0.value.bytes) }
            guard let partner else { continue }
            let other = others.remove(at: partner)
            read(pair.name, other.name.bytes, .pair)
            read(pair.value, other.value.bytes, .pair)
        }
    }

    /// Reads the values of a canonical body.
    mutating func read(_ expected: MaskedText, _ found: [UInt8], _ kind: BodyPattern.Kind) {
        switch kind {
        case .bytes: read(expected, found[...], .text)
        case .form: read(expected, pairs: found)
        case .json: read(expected, json: found)
        case .multipart:
            let others = CanonicalMultipart.parts(found.span)
            for (part, other) in zip(CanonicalMultipart.parts(expected.bytes.span), others) {
                read(expected[part.headers], found[other.headers], .text)
                read(expected[part.content], found[other.content], .text)
            }
        }
    }

    private mutating func read(_ expected: MaskedText, json found: [UInt8]) {
        var places: [(location: [UInt8], text: MaskedText)] = []
        var strings = JSONStrings()
        while let range = strings.next(in: expected.bytes.span) {
            let text = expected[range]
            if text.isMasked { places.append((strings.location, text)) }
        }
        let ranges = JSONStrings.ranges(of: Set(places.map(\.location)), in: found)
        for place in places {
            if let range = ranges[place.location] { read(place.text, found[range], .json) }
        }
    }
}
