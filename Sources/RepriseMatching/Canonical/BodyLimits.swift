// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Limits on the size of a request body for each kind of parsing, which bound the work that a hostile body causes.
///
/// The limits grow with the bodies of the fixtures, so the recorded requests themselves never exceed them. A larger
/// body is very unlikely to equal that of any fixture.
struct BodyLimits: Sendable {
    private var limits = Array(repeating: Limit(), count: BodyPattern.Kind.allCases.count)

    /// The limit that applies regardless of the fixtures.
    private struct Limit {
        /// The maximum number of bytes.
        var byteCount = 1 << 20
        /// The maximum number of pairs of a form, or of parts and header lines of a multipart body.
        var elementCount = 10_000
    }

    /// Creates the limits for requests that are compared with `patterns`.
    init(_ patterns: some Sequence<RequestPattern>) {
        for pattern in patterns {
            guard case .equal(let kind, let canonical) = pattern.body else { continue }
            let room = canonical.count.multipliedReportingOverflow(by: Self.growth(kind)).partialValue
            // A canonical form can be much smaller than its source, which may have whitespace, escapes, or a long
            // boundary. The text that a mask matches may be long.
            let masked = pattern.maskedBody != nil ? Limit().byteCount : 0
            let byteCount = min(max(room, pattern.recordedBodyCount), .max - masked) + masked
            limits[kind.rawValue].byteCount = max(limits[kind.rawValue].byteCount, byteCount)
            // Each additional element takes at least two bytes.
            guard canonical.count / 2 > limits[kind.rawValue].elementCount else { continue }
            let elementCount = Self.elementCount(kind, canonical.span)
            limits[kind.rawValue].elementCount = max(limits[kind.rawValue].elementCount, elementCount)
        }
    }

    /// Whether a body of `count` bytes may be parsed as `kind`.
    func allow(_ kind: BodyPattern.Kind, byteCount: Int) -> Bool {
        byteCount <= limits[kind.rawValue].byteCount
    }

    /// The size of the largest body that can equal that of a fixture.
    var maximumByteCount: Int { limits.lazy.map(\.byteCount).max() ?? 0 }

    /// Returns the maximum number of pairs, or of parts and header lines, in a body.
    func elementCount(_ kind: BodyPattern.Kind) -> Int {
        limits[kind.rawValue].elementCount
    }

    /// How many times larger than its canonical form a body may be.
    private static func growth(_ kind: BodyPattern.Kind) -> Int {
        switch kind {
        case .bytes: 1
        case .json: 8
        // Every byte may be escaped.
        case .form: 3
        case .multipart: 2
        }
    }

    private static func elementCount(_ kind: BodyPattern.Kind, _ canonical: Span<UInt8>) -> Int {
        switch kind {
        case .bytes, .json: 0
        case .form: CanonicalQuery.pairCount(canonical)
        case .multipart: CanonicalMultipart.elementCount(canonical)
        }
    }
}

extension BodyLimits {
    /// Returns the canonical form of a request's body, parsed as `kind`, without the ignored parts. Returns `nil` if
    /// the body cannot be parsed or exceeds the limits. Bodies that are compared as bytes are not copied.
    func canonicalBody(
        _ kind: BodyPattern.Kind,
        _ request: RequestView,
        _ ignored: IgnoredParts
    ) -> [UInt8]? {
        guard allow(kind, byteCount: request.content.count) else { return nil }
        let elementCount = elementCount(kind)
        switch kind {
        case .bytes: return nil
        case .json: return CanonicalJSON.canonical(request.content).map { ignored.removed(fromBody: $0, kind) }
        case .form: return CanonicalQuery.canonical(request.content, maximumPairs: elementCount)
        case .multipart:
            let contentType = request.firstValue(named: "Content-Type")
            let type = MediaType(contentType.map { [UInt8](bytes: request.head.extracting($0)) } ?? [])
            return CanonicalMultipart.canonical(
                request.content,
                boundary: type.isMultipart ? type.parameter("boundary") : nil,
                maximumElements: elementCount
            )
        }
    }
}
