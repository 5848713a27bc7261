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

    func matches(_ request: CanonicalRequest) -> Bool { distance(from: request) == 0 }

    func distance(from request: CanonicalRequest) -> Int {
        switch path {
        case .literal(let bytes):
            if let masked, masked.matches(path: request.path.span) { return 0 }
            guard bytes != request.path else { return 0 }
            return Self.base + min(Self.maximumBytes, ByteDistance.middle(bytes.span, request.path.span))
        case .template(let segments):
            return Self.distance(segments, request.path.span)
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
