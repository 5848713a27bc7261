// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The places in a request where a pattern has masks.
///
/// A request and a pattern that it matches have the same key under the pattern's mask, because the key omits the text
/// at these places. All patterns with the same mask are therefore found with one lookup. Patterns with the same key
/// do not necessarily match and are compared one by one.
struct RequestMask: Sendable, Hashable {
    private let query: MaskPlaces
    private let body: Body
    private let headers: [MaskPlaces?]

    private enum Body: Sendable, Hashable {
        case any
        case none
        case equal(BodyPattern.Kind, MaskPlaces)
    }

    /// Creates the mask of a pattern. Returns `nil` if that is impossible because the name of a pair is masked.
    init?(_ pattern: RequestPattern, _ options: MatchingOptions) {
        let text = options.fields.contains(.query) ? pattern.queryText : nil
        guard let query = MaskPlaces(text ?? MaskedText([]), .pairs) else { return nil }
        self.query = query
        switch options.fields.contains(.body) ? pattern.body : .any {
        case .any: body = .any
        case .none: body = .none
        case .equal(let kind, _):
            guard let places = MaskPlaces(pattern.bodyText, CanonicalForm(kind)) else { return nil }
            body = .equal(kind, places)
        }
        headers = pattern.headerTexts(options.headerNames).map { $0.flatMap { MaskPlaces($0, .text) } }
    }

    /// Whether a request with the same key always matches a pattern of this mask. Otherwise it must be compared.
    var isExact: Bool {
        switch body {
        case .any, .none: break
        // The key contains only parts of a large body without masks.
        case .equal(.bytes, let places): if places.isEmpty || !places.isExact { return false }
        // A mask never matches a line of a part's header.
        case .equal(.multipart, _): return false
        case .equal(_, let places): if !places.isExact { return false }
        }
        return query.isExact && headers.allSatisfy { $0?.isExact ?? true }
    }

    var comparesBody: Bool { body != .any }

    /// The locations of the JSON values that the mask omits.
    var jsonLocations: Set<CanonicalForm.Name> { if case .equal(.json, let places) = body { places.names } else { [] } }

    func key(of pattern: RequestPattern, _ options: MatchingOptions) -> [UInt8]? {
        var key: [UInt8] = []
        guard query.append(options.fields.contains(.query) ? pattern.query ?? [] : [], to: &key) else { return nil }
        Self.end(0, of: &key)
        let start = key.count
        if case .equal(let kind, let places) = body, case .equal(_, let canonical) = pattern.body {
            guard Self.append(kind, canonical, places, nil, to: &key) else { return nil }
        }
        Self.end(start, of: &key)
        return appendHeaders(HeaderKey.values(of: options.headerNames, in: pattern.headers), to: &key) ? key : nil
    }

    /// Returns the key of a request, or `nil` if the request cannot match any pattern with this mask.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - values: The values at ``jsonLocations`` in the request's JSON.
    func key(of request: CanonicalRequest, _ values: [CanonicalForm.Piece]) -> [UInt8]? {
        var key: [UInt8] = []
        guard query.append(request.query, to: &key) else { return nil }
        Self.end(0, of: &key)
        let start = key.count
        switch body {
        case .any: break
        case .none: guard request.content.isEmpty else { return nil }
        case .equal(let kind, let places):
            guard !request.content.isEmpty,
                let content = kind == .bytes ? [UInt8](bytes: request.content) : request.form(kind),
                Self.append(kind, content, places, kind == .json ? values : nil, to: &key)
            else { return nil }
        }
        Self.end(start, of: &key)
        return appendHeaders(request.headerValues, to: &key) ? key : nil
    }

    private func appendHeaders(_ values: [[UInt8]?], to key: inout [UInt8]) -> Bool {
        for (index, places) in headers.enumerated() {
            let start = key.count
            if index < values.count, let value = values[index] {
                key.append(UInt8(ascii: ":"))
                if let places {
                    guard places.append(value, to: &key) else { return false }
                } else {
                    key += value
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

    /// Appends a body. For a large body of bytes, only its ends and length are used, because candidates are compared
    /// anyway.
    private static func append(
        _ kind: BodyPattern.Kind,
        _ content: [UInt8],
        _ places: MaskPlaces,
        _ pieces: [CanonicalForm.Piece]?,
        to key: inout [UInt8]
    ) -> Bool {
        guard kind == .bytes, places.isEmpty else { return places.append(content, pieces: pieces, to: &key) }
        key.append(contentsOf: "\(content.count):".utf8)
        return KeyMask.ends(of: content.count).append(content.span, to: &key)
    }
}
