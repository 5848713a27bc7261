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
        values += path.map { captured($0, .path, CanonicalPath.canonical(request.path)) } ?? none(counts.path)
        values +=
            query.map { captured($0, .pairs, ignored.removed(fromQuery: CanonicalQuery.canonical(request.query))) }
            ?? none(counts.query)
        if let body {
            let content = body.kind == .bytes ? [UInt8](bytes: request.content) : nil
            values += captured(
                body.text,
                CanonicalForm(body.kind),
                content ?? limits.canonicalBody(body.kind, request, ignored)
            )
        } else {
            values += none(counts.body)
        }
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

private func none(_ count: Int) -> [StandInValue?] { Array(repeating: nil, count: count) }

/// Returns the values at the masks of a text that `found` matches, of the same form; `nil` where it has none.
private func captured(_ expected: MaskedText, _ form: CanonicalForm, _ found: [UInt8]?) -> [StandInValue?] {
    guard let found else { return none(expected.maskCount) }
    var values: [Int: StandInValue] = [:]
    func read(_ text: MaskedText, _ value: ArraySlice<UInt8>) {
        guard text.isMasked, let captures = text.captures(in: value.span) else { return }
        for (mask, capture) in zip(text.masks, captures) {
            values[mask.range.lowerBound] = StandInValue(value.span.extracting(capture), form)
        }
    }
    let bytes = Array(expected.bytes)
    if form == .pairs {
        // Of several pairs with the same name, the first ones that match are taken in order.
        var others = CanonicalQuery.pairs(found.span)
        for pair in CanonicalQuery.pairs(bytes.span) {
            let partner = others.firstIndex {
                expected[pair.name].matches(found[$0.name]) && expected[pair.value].matches(found[$0.value])
            }
            guard let partner else { continue }
            let other = others.remove(at: partner)
            read(expected[pair.name], found[other.name])
            read(expected[pair.value], found[other.value])
        }
    } else {
        let pieces = form.pieces(of: bytes).filter { expected[$0.range].isMasked }
        let others = form.pieces(of: found, named: Set(pieces.map(\.name))).map { ($0.name, $0.range) }
        let ranges = Dictionary(others) { first, _ in first }
        for piece in pieces { if let range = ranges[piece.name] { read(expected[piece.range], found[range]) } }
    }
    return expected.masks.map { values[$0.range.lowerBound] }
}
