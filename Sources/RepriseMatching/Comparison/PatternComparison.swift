// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares a pattern with a request, field by field.
enum PatternComparison {
    /// How far the pattern is from the request: zero is equal, and each field adds. It formats nothing and bounds its
    /// work.
    static func distance(
        _ pattern: RequestPattern,
        _ request: CanonicalRequest,
        _ options: MatchingOptions
    ) -> Int {
        let fields = options.fields
        var distance = !fields.contains(.method) || isMethodEqual(pattern, request) ? 0 : 3
        if fields.contains(.path) {
            distance += PathComparison.distance(pattern.path, request.path, pattern.maskedPath)
        }
        if fields.contains(.query), let query = pattern.query {
            distance += QueryComparison.distance(
                query,
                request.query,
                budget: BodyComparison.distanceBudget,
                masked: pattern.maskedQuery
            )
        }
        if fields.contains(.body) {
            distance += BodyComparison.distance(pattern.body, request, masked: pattern.maskedBody)
        }
        if options.requiresHost, let host = pattern.host, !request.names(host: host) { distance += 2 }
        if pattern.kind == .recorded, !options.headerNames.isEmpty {
            for pair in headerPairs(pattern, request, options) where !isEqual(pair) { distance += 2 }
        }
        return distance
    }

    /// One verdict a field, of the query and the body at most `limit` each.
    static func verdicts(
        _ pattern: RequestPattern,
        _ request: CanonicalRequest,
        _ options: MatchingOptions,
        limit: Int
    ) -> [FieldVerdict] {
        var verdicts: [FieldVerdict] = []
        verdicts.reserveCapacity(6)
        let fields = options.fields
        if fields.contains(.method) { verdicts.append(methodVerdict(pattern, request)) }
        if fields.contains(.path) {
            verdicts.append(PathComparison.verdict(pattern.path, request.path, pattern.maskedPath))
        }
        if fields.contains(.query), let query = pattern.query {
            QueryComparison.append(
                .query,
                query,
                request.query,
                limit: limit,
                budget: BodyComparison.verdictBudget,
                masked: pattern.maskedQuery,
                to: &verdicts
            )
        }
        if fields.contains(.body) {
            BodyComparison.append(
                pattern.body,
                request,
                masked: pattern.maskedBody,
                limit: limit,
                to: &verdicts
            )
        }
        if pattern.kind == .recorded {
            if !options.headerNames.isEmpty { appendHeaders(pattern, request, options, to: &verdicts) }
            if let host = pattern.host {
                verdicts.append(
                    FieldVerdict(
                        .host,
                        isEqual: request.names(host: host),
                        isRequired: options.requiresHost,
                        expected: .bytes(host[...]),
                        found: FieldVerdict.Value(request.host?[...])
                    )
                )
            }
        }
        return verdicts
    }

    private static func methodVerdict(_ pattern: RequestPattern, _ request: CanonicalRequest) -> FieldVerdict {
        FieldVerdict(
            .method,
            isEqual: isMethodEqual(pattern, request),
            expected: .bytes(pattern.method[...]),
            found: .bytes(request.method[...])
        )
    }

    /// A HEAD request can be answered from GET.
    static func isMethodEqual(_ pattern: RequestPattern, _ request: CanonicalRequest) -> Bool {
        pattern.method == request.method
            || request.method.elementsEqual("HEAD".utf8) && pattern.method.elementsEqual("GET".utf8)
    }

    private static func appendHeaders(
        _ pattern: RequestPattern,
        _ request: CanonicalRequest,
        _ options: MatchingOptions,
        to verdicts: inout [FieldVerdict]
    ) {
        for (name, values) in zip(options.headerNames, headerPairs(pattern, request, options)) {
            if let expected = values.expected, expected.isMasked {
                let found = values.found.map { _ in FieldVerdict.Value.hidden("another text") }
                verdicts.append(
                    FieldVerdict(.header(name), isEqual: isEqual(values), masked: expected, found: found)
                )
                continue
            }
            verdicts.append(
                FieldVerdict(
                    .header(name),
                    isEqual: isEqual(values),
                    expected: FieldVerdict.Value(values.expected?.bytes),
                    found: FieldVerdict.Value(values.found?[...])
                )
            )
        }
    }

    /// What a pattern and a request have as the value of one header.
    typealias HeaderPair = (expected: MaskedText?, found: [UInt8]?)

    /// Whether a header has the value that is expected.
    static func isEqual(_ pair: HeaderPair) -> Bool {
        guard let expected = pair.expected, let found = pair.found else {
            return pair.expected == nil && pair.found == nil
        }
        return expected.matches(found[...])
    }

    static func headerPairs(
        _ pattern: RequestPattern,
        _ request: CanonicalRequest,
        _ options: MatchingOptions
    ) -> [HeaderPair] {
        let expected = pattern.headerTexts(options.headerNames)
        return expected.indices.map { index in
            (expected[index], index < request.headerValues.count ? request.headerValues[index] : nil)
        }
    }
}

/// Compares paths.
enum PathComparison {
    /// What any difference adds; each byte adds one more, up to a limit.
    private static let base = 4
    private static let maximumBytes = 12

    static func distance(
        _ pattern: RequestPattern.Path,
        _ path: [UInt8],
        _ masked: MaskedText?
    ) -> Int {
        switch pattern {
        case .literal(let bytes):
            if let masked, masked.matches(path: path.span) { return 0 }
            return bytes == path ? 0 : base + min(maximumBytes, ByteDistance.middle(bytes.span, path.span))
        case .template(let segments):
            return distance(segments, path.span)
        }
    }

    static func verdict(
        _ pattern: RequestPattern.Path,
        _ path: [UInt8],
        _ masked: MaskedText?
    ) -> FieldVerdict {
        let isEqual = distance(pattern, path, masked) == 0
        let expected: FieldVerdict.Value
        var found = path[...]
        switch pattern {
        case .literal(let bytes):
            expected = .bytes(bytes[...])
            if let masked { found = masked.concealed(path)[...] }
        case .template(let segments): expected = .template(segments)
        }
        return FieldVerdict(.path, isEqual: isEqual, expected: expected, found: .bytes(found))
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
