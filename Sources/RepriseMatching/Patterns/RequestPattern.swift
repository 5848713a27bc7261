// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// The requests that a fixture answers. All parts are canonical, so patterns are matched by comparing bytes.
///
/// Any text matches a mask in a recorded request. A mask can be in a path segment, the value of a query or form pair, a
/// JSON string at any depth, a part of a multipart body, any other body, or a compared header field. It can be the
/// whole value or have text around it.
public struct RequestPattern: Sendable {
    /// Shared by all copies, because there is one per fixture and they are passed around often.
    private var storage: Storage

    /// The precedence among patterns that match the same request.
    package var precedence: Precedence { storage.precedence }
    /// The method. Methods are case-sensitive (RFC 9110 section 9.1).
    public var method: [UInt8] { storage.method }
    /// The path.
    public var path: Path { storage.path }
    /// The query as its decoded pairs, sorted. Empty for no query; `nil` if queries are not compared.
    public var query: [UInt8]? { storage.query }
    /// The body.
    public var body: BodyPattern { storage.body }
    /// The authority in lower case without the default port; `nil` if the fixture has none.
    public var host: [UInt8]? { storage.host }
    /// The header lines that can be selected with ``MatchingOptions/headerNames``.
    public var headers: [HeaderLine] { storage.headers }

    /// The number of bytes in the recorded body, before it was made canonical.
    var recordedBodyCount: Int { storage.recordedBodyCount }
    /// The masks; `nil` if the path, query, and body have none.
    var masks: Masks? { storage.masks }
    /// How masks are found in canonical bytes.
    var maskSource: MaskSource { storage.maskSource }
    /// The texts that stand for values; `nil` in a recording without a table of them.
    var standIns: StandInTexts? { if case .standIns(let texts) = storage.maskSource { texts } else { nil } }

    /// The precedence of patterns that match the same request. The pattern with the lowest value answers.
    ///
    /// The fallbacks follow last: GET for a HEAD request, and the allowed methods for OPTIONS.
    package enum Precedence: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// A recorded exchange: method, path, query, and body are compared.
        case recording
        /// A route with a literal path: method and path are compared.
        case route
        /// A route with parameters in its path.
        case template

        /// Whether `left` takes precedence over `right`.
        package static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }
    }

    /// The path of a pattern.
    public enum Path: Sendable, Hashable {
        /// A path with exactly these canonical bytes.
        case literal([UInt8])
        /// A path with segments that match any text, such as `/users/{id}`.
        case template([Segment])
    }

    /// One segment of a template.
    public enum Segment: Sendable, Hashable {
        /// A segment with exactly these canonical bytes.
        case literal([UInt8])
        /// Any nonempty segment. The name is only descriptive.
        case parameter(String)
    }

    /// Creates the pattern of a recorded request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: An absolute URL, or a path with an optional query.
    ///   - headers: The header lines. Only those selected with ``MatchingOptions/headerNames`` are compared.
    ///   - body: The bodies that the fixture answers.
    ///   - recordedBodyCount: The number of bytes in the recorded body, before it was made canonical.
    ///   - findMasks: Finds the masks in canonical bytes; `nil` if there are none.
    public init(
        recordedMethod method: String,
        url: String,
        headers: [HeaderLine],
        body: BodyPattern,
        recordedBodyCount: Int,
        findMasks: MaskFinder? = nil
    ) {
        let url = URLParts(Array(url.utf8))
        storage = Storage(
            method: Self.shared(method),
            path: .literal(CanonicalPath.canonical(url.path.span)),
            query: url.query.map { CanonicalQuery.canonical($0.span) } ?? [],
            body: body,
            host: url.authority.flatMap { CanonicalHost.host($0, scheme: url.scheme) },
            headers: headers,
            recordedBodyCount: recordedBodyCount,
            findingMasks: findMasks.map { .finder($0) } ?? .none
        )
    }

    /// Creates the pattern of a recorded request in which texts stand for values of the traffic.
    package init(
        recordedMethod method: String,
        url: String,
        headers: [HeaderLine],
        body: BodyPattern,
        recordedBodyCount: Int,
        standIns: StandInTexts
    ) {
        self.init(
            recordedMethod: method,
            url: url,
            headers: headers,
            body: body,
            recordedBodyCount: recordedBodyCount
        )
        storage = storage.replacingLiterals(of: standIns)
    }

    /// Creates the pattern of a route, which matches any query and any body.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - routePath: The path, which must start with `/`. A segment such as `{name}` matches any one segment.
    ///     Characters that are not allowed in a path are escaped, so the name of a file can be used directly.
    /// - Throws: ``RoutePathError`` if the path is invalid.
    public init(method: String, routePath: String) throws(RoutePathError) {
        let path = try RequestPattern.path(of: routePath)
        let precedence: Precedence = if case .template = path { .template } else { .route }
        storage = Storage(
            precedence: precedence,
            method: Self.shared(method),
            path: path,
            query: nil,
            body: .any,
            host: nil,
            headers: [],
            recordedBodyCount: 0
        )
    }

    /// Returns the bytes of `method`. All patterns with the same common method share one array.
    private static func shared(_ method: String) -> [UInt8] {
        usualMethods[method] ?? Array(method.utf8)
    }

    private static let usualMethods = Dictionary(
        uniqueKeysWithValues: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map { ($0, Array($0.utf8)) }
    )

    /// Returns the pattern with only the header lines whose names are in `names`, ignoring case.
    func keepingHeaders(_ names: [String]) -> RequestPattern {
        guard !headers.isEmpty else { return self }
        var copy = self
        copy.storage = Storage(
            precedence: precedence,
            method: method,
            path: path,
            query: query,
            body: body,
            host: host,
            headers: headers.filter { line in names.contains { line.hasName($0) } },
            recordedBodyCount: recordedBodyCount,
            maskSource: maskSource,
            masks: masks
        )
        return copy
    }

    /// Returns the pattern with another query and body, in which the masks are found again.
    func replacing(query: [UInt8]?, body: BodyPattern) -> RequestPattern {
        guard query != self.query || body != self.body else { return self }
        var copy = self
        copy.storage = Storage(
            precedence: precedence,
            method: method,
            path: path,
            query: query,
            body: body,
            host: host,
            headers: headers,
            recordedBodyCount: recordedBodyCount,
            maskSource: maskSource,
            masks: Masks(path: path, query: query, body: body, maskSource)
        )
        return copy
    }

    /// A one-line description of the request, such as `GET /users?page=2`, for messages.
    public var summary: String { ReportWriter.text { $0.append(self) } }
}

extension RequestPattern: Hashable {
    /// Whether both patterns match the same requests in the same way.
    public static func == (one: RequestPattern, other: RequestPattern) -> Bool {
        one.storage === other.storage
            || one.precedence == other.precedence && one.method == other.method && one.path == other.path
                && one.query == other.query && one.body == other.body && one.host == other.host
                && one.headers == other.headers
    }

    /// Hashes the parts that usually distinguish patterns.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(path)
        hasher.combine(query)
        hasher.combine(body)
    }
}

extension RequestPattern {
    /// Returns the pattern without what tells stand-ins apart, and the stand-ins in its path, query, and body. All
    /// patterns that are equal except for their stand-ins have an equal result.
    func withoutStandIns() -> (pattern: RequestPattern, standIns: Masks.StandIns)? {
        guard let texts = standIns, masks != nil || !headers.isEmpty, let neutral = storage.neutral(texts) else {
            return nil
        }
        var copy = self
        copy.storage = neutral.storage
        return (copy, neutral.standIns)
    }
}

/// The fields of a pattern.
private final class Storage: Sendable {
    let precedence: RequestPattern.Precedence
    let method: [UInt8]
    let path: RequestPattern.Path
    let query: [UInt8]?
    let body: BodyPattern
    let host: [UInt8]?
    let headers: [HeaderLine]
    let recordedBodyCount: Int
    let maskSource: MaskSource
    let masks: RequestPattern.Masks?

    init(
        precedence: RequestPattern.Precedence,
        method: [UInt8],
        path: RequestPattern.Path,
        query: [UInt8]?,
        body: BodyPattern,
        host: [UInt8]?,
        headers: [HeaderLine],
        recordedBodyCount: Int,
        maskSource: MaskSource = .none,
        masks: RequestPattern.Masks? = nil
    ) {
        self.precedence = precedence
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.host = host
        self.headers = headers
        self.recordedBodyCount = recordedBodyCount
        self.maskSource = maskSource
        self.masks = masks
    }

    /// Creates the fields of a recorded request, in which the masks are looked for.
    convenience init(
        method: [UInt8],
        path: RequestPattern.Path,
        query: [UInt8]?,
        body: BodyPattern,
        host: [UInt8]?,
        headers: [HeaderLine],
        recordedBodyCount: Int,
        findingMasks source: MaskSource
    ) {
        self.init(
            precedence: .recording,
            method: method,
            path: path,
            query: query,
            body: body,
            host: host,
            headers: headers,
            recordedBodyCount: recordedBodyCount,
            maskSource: source,
            masks: RequestPattern.Masks(path: path, query: query, body: body, source)
        )
    }

    /// Returns the fields with other parts, in which the stand-ins are at known places.
    private func replacing(
        _ parts: Parts,
        headers: [HeaderLine],
        _ maskSource: MaskSource
    ) -> Storage {
        var (path, body) = (path, body)
        if let text = parts.path { path = .literal(text.bytes) }
        if let text = parts.body, case .equal(let kind, _) = body { body = .equal(kind, text.bytes) }
        return Storage(
            precedence: precedence,
            method: method,
            path: path,
            query: parts.query.map(\.bytes) ?? query,
            body: body,
            host: host,
            headers: headers,
            recordedBodyCount: recordedBodyCount,
            maskSource: maskSource,
            masks: RequestPattern.Masks(
                path: parts.path?.standIns.map(\.range) ?? [],
                query: parts.query?.standIns.map(\.range) ?? [],
                body: parts.body?.standIns.map(\.range) ?? []
            )
        )
    }

    /// The parts of a pattern that can have stand-ins.
    private struct Parts {
        var path: StandInSplice.Text?
        var query: StandInSplice.Text?
        var body: StandInSplice.Text?

        init(_ storage: Storage, _ texts: StandInTexts, _ replacement: (Int32) -> StandInSplice.Replacement) {
            if case .literal(let bytes) = storage.path {
                path = StandInSplice(bytes, .path, texts).replacing(replacement)
            }
            query = storage.query.map { StandInSplice($0, .pairs, texts).replacing(replacement) }
            if case .equal(let kind, let bytes) = storage.body {
                body = StandInSplice(bytes, StandInSplice.Form(kind), texts).replacing(replacement)
            }
        }
    }

    /// Returns the fields with the literals that stand-ins stand for. What is left is masks.
    func replacingLiterals(of texts: StandInTexts) -> Storage {
        func replacement(_ entry: Int32) -> StandInSplice.Replacement {
            if case .literal(let text) = texts.entries[Int(entry)].meaning { .literal(Array(text.utf8)) } else { .none }
        }
        let parts = Parts(self, texts, replacement)
        let headers = texts.hasLiterals ? headers.replacing(texts, replacement) : headers
        return replacing(parts, headers: headers, .standIns(texts))
    }

    /// Returns the fields with the same text in place of all stand-ins, and the stand-ins.
    func neutral(_ texts: StandInTexts) -> (storage: Storage, standIns: RequestPattern.Masks.StandIns)? {
        let replacement = { StandInSplice.Replacement.text(texts.neutralText(of: $0)) }
        let parts = Parts(self, texts, replacement)
        let standIns = RequestPattern.Masks.StandIns(
            path: parts.path?.standIns.map(\.entry) ?? [],
            query: parts.query?.standIns.map(\.entry) ?? [],
            body: parts.body?.standIns.map(\.entry) ?? []
        )
        let neutralHeaders = headers.replacing(texts, replacement)
        guard !standIns.isEmpty || neutralHeaders != headers else { return nil }
        let source = MaskSource.finder { StandInTexts.neutralRanges(in: $0) }
        return (replacing(parts, headers: neutralHeaders, source), standIns)
    }
}

extension [HeaderLine] {
    /// Returns the lines after the replacement of stand-ins in their values.
    fileprivate func replacing(
        _ texts: StandInTexts,
        _ replacement: (Int32) -> StandInSplice.Replacement
    ) -> [HeaderLine] {
        map { line in
            let value = [UInt8](line.valueBytes)
            let replaced = StandInSplice(value, .text, texts).replacing(replacement)
            guard replaced.bytes != value else { return line }
            return HeaderLine(bytes: [UInt8]("\(line.name): ".utf8) + replaced.bytes) ?? line
        }
    }
}
