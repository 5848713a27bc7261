// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// How large a request's body may be to be read in the way of a kind, so that a hostile one costs little.
///
/// The limits grow with the fixtures: no request that a fixture was recorded from is ever over them, and what is over
/// them could hardly be equal to any fixture.
struct BodyLimits: Sendable {
    private var limits = Array(repeating: Limit(), count: BodyPattern.Kind.allCases.count)

    /// What is allowed whatever the fixtures are.
    private struct Limit {
        /// The number of bytes.
        var byteCount = 1 << 20
        /// The number of pairs of a form, or of parts and header lines of a multipart body.
        var elementCount = 10_000
    }

    /// The limits for requests that are compared with `patterns`.
    init(_ patterns: some Sequence<RequestPattern>) {
        for pattern in patterns {
            guard case .equal(let kind, let canonical) = pattern.body else { continue }
            let room = canonical.count.multipliedReportingOverflow(by: Self.growth(kind)).partialValue
            // A canonical form can be much smaller than what it was made from: white space, escapes, a long boundary.
            // What a mask stands for may be long.
            let masked = pattern.maskedBody != nil ? Limit().byteCount : 0
            let byteCount = min(max(room, pattern.recordedBodyCount), .max - masked) + masked
            limits[kind.rawValue].byteCount = max(limits[kind.rawValue].byteCount, byteCount)
            // It takes two bytes to have one more element.
            guard canonical.count / 2 > limits[kind.rawValue].elementCount else { continue }
            let elementCount = Self.elementCount(kind, canonical.span)
            limits[kind.rawValue].elementCount = max(limits[kind.rawValue].elementCount, elementCount)
        }
    }

    /// Whether a body of `count` bytes is read in the way of a kind.
    func allow(_ kind: BodyPattern.Kind, byteCount: Int) -> Bool {
        byteCount <= limits[kind.rawValue].byteCount
    }

    /// How many pairs, or parts and header lines, a body may have.
    func elementCount(_ kind: BodyPattern.Kind) -> Int {
        limits[kind.rawValue].elementCount
    }

    /// How much larger than its canonical form a body may be spelled.
    private static func growth(_ kind: BodyPattern.Kind) -> Int {
        switch kind {
        case .bytes: 1
        case .json: 8
        // Each byte may be an escape.
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
    /// The canonical form of a request's body, read as `kind` says; `nil` if it cannot be read so, or is over the
    /// limits. The body as it is, for bytes, is copied by nobody.
    func canonicalBody(
        _ kind: BodyPattern.Kind,
        _ request: RequestView
    ) -> [UInt8]? {
        guard allow(kind, byteCount: request.content.count) else { return nil }
        let elementCount = elementCount(kind)
        switch kind {
        case .bytes: return nil
        case .json: return CanonicalJSON.canonical(request.content)
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
