// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Requires an exact path, or a path that matches a template or masks.
struct PathPredicate: Predicate {
    /// The distance added for any difference. Each differing byte adds one more, up to a limit.
    private static let base = 4
    private static let maximumBytes = 12

    let path: RequestPattern.Path
    /// The literal path if it has masks.
    let masked: MaskedText?
    /// Whether unneeded escapes in the request's path are ignored, as for routes.
    let ignoresEscapes: Bool

    /// Creates the predicate of a pattern's path.
    init(_ pattern: RequestPattern) {
        path = pattern.path
        masked = pattern.maskedPath
        ignoresEscapes = pattern.precedence != .recording
    }

    func matches(_ request: CanonicalRequest) -> Bool { distance(from: request) == 0 }

    func distance(from request: CanonicalRequest) -> Int {
        let distance = distance(from: request.path)
        guard distance > 0, ignoresEscapes, let unescaped = request.unescapedPath else { return distance }
        return min(distance, self.distance(from: unescaped))
    }

    private func distance(from requestPath: [UInt8]) -> Int {
        switch path {
        case .literal(let bytes):
            if let masked, masked.matches(path: requestPath.span) { return 0 }
            guard bytes != requestPath else { return 0 }
            return Self.base + min(Self.maximumBytes, ByteDistance.middle(bytes.span, requestPath.span))
        case .template(let segments):
            return Self.distance(segments, requestPath.span)
        }
    }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        let expected: FieldVerdict.Value
        var found = request.path[...]
        switch path {
        case .literal(let bytes):
            expected = .bytes(bytes[...])
            if let masked { found = masked.maskingSegments(of: request.path)[...] }
        case .template(let segments): expected = .template(segments)
        }
        verdicts.append(FieldVerdict(.path, isEqual: matches(request), expected: expected, found: .bytes(found)))
    }

    private static func distance(_ segments: [RequestPattern.Segment], _ path: Span<UInt8>) -> Int {
        guard path.count > 0, path[0] == UInt8(ascii: "/") else { return base + maximumBytes }
        var bytes = 0
        var differences = 0
        var end = 0
        for segment in segments {
            guard end < path.count else {
                differences += 1
                continue
            }
            let start = end + 1
            end = PathTrie.endOfSegment(in: path, from: start)
            let found = path.extracting(start..<end)
            switch segment {
            case .literal(let expected):
                let middle = ByteDistance.middle(expected.span, found)
                if middle > 0 { differences += 1 }
                bytes += middle
            case .parameter:
                if found.isEmpty { differences += 1 }
            }
        }
        if end < path.count {
            differences += 1
            bytes += path.count - end
        }
        return differences == 0 ? 0 : base * differences + min(maximumBytes, bytes)
    }
}
