// SPDX-License-Identifier: Apache-2.0

/// Compares one pattern with one request, field by field. Zero is equal; each field adds to the distance.
struct PatternComparison {
    let pattern: RequestPattern
    let options: MatchingOptions

    /// How far the pattern is from the request. It formats nothing and bounds its work.
    func distance(from request: CanonicalRequest, body: Span<UInt8>) -> Int {
        var distance = isMethodEqual(request) ? 0 : 3
        distance += PathComparison.distance(pattern.path, request.path)
        if let query = pattern.query { distance += QueryComparison.distance(query.span, request.query.span) }
        distance += BodyComparison.distance(pattern.body, request, body)
        if options.requiresHost, let host = pattern.host, !request.names(host: host) { distance += 2 }
        if pattern.kind == .recorded, !options.headerNames.isEmpty {
            for (expected, found) in headerPairs(request) where expected != found { distance += 2 }
        }
        return distance
    }

    /// One verdict a field, of the query and the body at most `limit` each.
    func verdicts(for request: CanonicalRequest, body: Span<UInt8>, limit: Int) -> [FieldVerdict] {
        var verdicts = [
            FieldVerdict(
                field: "method",
                isEqual: isMethodEqual(request),
                expected: DisplayText.string(pattern.method),
                found: DisplayText.string(request.method)
            ),
            FieldVerdict(
                field: "path",
                isEqual: PathComparison.distance(pattern.path, request.path) == 0,
                expected: DisplayText.string(pattern.pathText),
                found: DisplayText.string(request.path)
            ),
        ]
        if let query = pattern.query {
            verdicts += QueryComparison.verdicts("query", query, request.query, limit: limit)
        }
        verdicts += BodyComparison.verdicts(pattern.body, request, body, limit: limit)
        if pattern.kind == .recorded {
            verdicts += headerVerdicts(request)
            if let verdict = hostVerdict(request) { verdicts.append(verdict) }
        }
        return verdicts
    }

    /// A HEAD request can be answered from GET.
    private func isMethodEqual(_ request: CanonicalRequest) -> Bool {
        pattern.method == request.method
            || request.method.elementsEqual("HEAD".utf8) && pattern.method.elementsEqual("GET".utf8)
    }

    private func hostVerdict(_ request: CanonicalRequest) -> FieldVerdict? {
        guard let host = pattern.host else { return nil }
        let isEqual = request.names(host: host)
        return FieldVerdict(
            field: "host",
            isEqual: isEqual,
            isRequired: options.requiresHost,
            expected: DisplayText.string(host),
            found: FieldVerdict.shown(request.host)
        )
    }

    private func headerVerdicts(_ request: CanonicalRequest) -> [FieldVerdict] {
        zip(options.headerNames, headerPairs(request)).map { name, values in
            FieldVerdict(
                field: "header.\(name)",
                isEqual: values.expected == values.found,
                expected: FieldVerdict.shown(values.expected),
                found: FieldVerdict.shown(values.found)
            )
        }
    }

    private func headerPairs(_ request: CanonicalRequest) -> [(expected: [UInt8]?, found: [UInt8]?)] {
        let expected = HeaderKey.values(of: options.headerNames, in: pattern.headers)
        return expected.indices.map { index in
            (expected[index], index < request.headerValues.count ? request.headerValues[index] : nil)
        }
    }
}

extension FieldVerdict {
    /// A value as it is shown: quoted if there is nothing to see, `nothing` if there is none.
    static func shown(_ value: (some Collection<UInt8>)?) -> String {
        guard let value else { return "nothing" }
        return value.isEmpty ? "\"\"" : DisplayText.string(value.prefix(DisplayText.maximumCount * 2))
    }
}

/// Compares paths.
enum PathComparison {
    /// What any difference adds; each byte adds one more, up to a limit.
    private static let base = 4
    private static let maximumBytes = 12

    static func distance(_ pattern: RequestPattern.Path, _ path: [UInt8]) -> Int {
        switch pattern {
        case .literal(let bytes):
            return bytes == path ? 0 : base + min(maximumBytes, ByteDistance.middle(bytes.span, path.span))
        case .template(let segments):
            return distance(segments, path.span)
        }
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
