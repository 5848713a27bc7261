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

    private var fields: Fields {
        get { storage.fields }
        set { storage = Storage(newValue) }
    }

    /// The precedence among patterns that match the same request.
    package var precedence: Precedence { fields.precedence }
    /// The method. Methods are case-sensitive (RFC 9110 section 9.1).
    public var method: [UInt8] { fields.method }
    /// The path.
    public var path: Path { fields.path }
    /// The query as its decoded pairs, sorted. Empty for no query; `nil` if queries are not compared.
    public var query: [UInt8]? { fields.query }
    /// The body.
    public var body: BodyPattern { fields.body }
    /// The authority in lower case without the default port; `nil` if the fixture has none.
    public var host: [UInt8]? { fields.host }
    /// Whether the fixture was recorded with a scheme that uses TLS.
    var isSecure: Bool { fields.isSecure }
    /// The header lines that can be selected with ``MatchingOptions/headerNames``.
    public var headers: [HeaderLine] { fields.headers }

    /// The range or condition that a request must have to get this answer.
    var requiredSelection: ContentSelection { fields.requiredSelection }
    /// The number of bytes in the recorded body, before it was made canonical.
    var recordedBodyCount: Int { fields.recordedBodyCount }
    /// The masks; `nil` if the path, query, and body have none.
    var masks: Masks? { fields.masks }
    /// How masks are found in canonical bytes.
    var maskSource: MaskSource { fields.maskSource }
    /// The texts that stand for values; `nil` in a recording without a table of them.
    var standIns: StandInTexts? { if case .standIns(let texts) = fields.maskSource { texts } else { nil } }

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
        var fields = Fields(
            method: Self.shared(method),
            path: .literal(CanonicalPath.canonical(url.path.span)),
            query: url.query.map { CanonicalQuery.canonical($0.span) } ?? [],
            body: body,
            host: url.authority.flatMap { CanonicalHost.host($0, scheme: url.scheme) },
            isSecure: CanonicalHost.isSecure(scheme: url.scheme),
            headers: headers,
            recordedBodyCount: recordedBodyCount,
            maskSource: findMasks.map { .finder($0) } ?? .none
        )
        fields.findMasks()
        storage = Storage(fields)
    }

    /// Returns the pattern of a request without masks, in which texts stand for values of the traffic.
    package func replacing(_ standIns: StandInTexts) -> RequestPattern {
        var copy = self
        copy.fields = fields.replacingLiterals(of: standIns)
        return copy
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
        storage = Storage(Fields(precedence: precedence, method: Self.shared(method), path: path))
    }

    /// Returns the bytes of `method`. All patterns with the same common method share one array.
    private static func shared(_ method: String) -> [UInt8] {
        usualMethods[method] ?? Array(method.utf8)
    }

    private static let usualMethods = Dictionary(
        uniqueKeysWithValues: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map { ($0, Array($0.utf8)) }
    )

    /// Returns the pattern with another range or condition that a request must have.
    func requiring(_ selection: ContentSelection) -> RequestPattern {
        guard selection != requiredSelection else { return self }
        var copy = self
        copy.fields.requiredSelection = selection
        return copy
    }

    /// Returns the pattern with only the header lines whose names are in `names`, ignoring case.
    func keepingHeaders(_ names: [String]) -> RequestPattern {
        guard !headers.isEmpty else { return self }
        var copy = self
        copy.fields.headers = headers.filter { line in names.contains { line.hasName($0) } }
        return copy
    }

    /// Returns the pattern with another query and body, in which the masks are found again.
    func replacing(query: [UInt8]?, body: BodyPattern) -> RequestPattern {
        guard query != self.query || body != self.body else { return self }
        var copy = self
        var fields = fields
        (fields.query, fields.body) = (query, body)
        fields.findMasks()
        copy.fields = fields
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
                && one.isSecure == other.isSecure && one.headers == other.headers
                && one.requiredSelection == other.requiredSelection
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
    /// Returns the pattern without what tells stand-ins apart. Its masks say which stand-ins were at their places. All
    /// patterns that are equal except for their stand-ins have an equal result.
    func withoutStandIns() -> RequestPattern? {
        guard let texts = standIns, masks != nil || !headers.isEmpty, let neutral = fields.neutral(texts) else {
            return nil
        }
        var copy = self
        copy.fields = neutral
        return copy
    }
}

private final class Storage: Sendable {
    let fields: Fields

    init(_ fields: Fields) { self.fields = fields }
}

private struct Fields: Sendable {
    var precedence = RequestPattern.Precedence.recording
    var method: [UInt8]
    var path: RequestPattern.Path
    var query: [UInt8]?
    var body = BodyPattern.any
    var host: [UInt8]?
    var isSecure = false
    var headers: [HeaderLine] = []
    var requiredSelection = ContentSelection()
    var recordedBodyCount = 0
    var maskSource = MaskSource.none
    var masks: RequestPattern.Masks?

    /// Finds the masks of a recorded request.
    mutating func findMasks() {
        masks = RequestPattern.Masks(path: path, query: query, body: body, maskSource)
    }

    /// Returns the fields with other parts, in which the stand-ins are at known places.
    private func replacing(_ parts: Parts, headers: [HeaderLine], _ maskSource: MaskSource) -> Fields {
        var fields = self
        if let text = parts.path { fields.path = .literal(text.bytes) }
        if let text = parts.body, case .equal(let kind, _) = body { fields.body = .equal(kind, text.bytes) }
        if let text = parts.query { fields.query = text.bytes }
        (fields.headers, fields.maskSource) = (headers, maskSource)
        fields.masks = RequestPattern.Masks(
            path: parts.path?.masks ?? [],
            query: parts.query?.masks ?? [],
            body: parts.body?.masks ?? []
        )
        return fields
    }

    /// The parts of a pattern that can have stand-ins.
    private struct Parts {
        var path: StandInSplice.Text?
        var query: StandInSplice.Text?
        var body: StandInSplice.Text?

        init(_ fields: Fields, _ texts: StandInTexts, _ replacement: (Int32) -> StandInSplice.Replacement) {
            if case .literal(let bytes) = fields.path {
                path = StandInSplice(bytes, .path, texts).replacing(replacement)
            }
            query = fields.query.map { StandInSplice($0, .pairs, texts).replacing(replacement) }
            if case .equal(let kind, let bytes) = fields.body {
                body = StandInSplice(bytes, CanonicalForm(kind), texts).replacing(replacement)
            }
        }
    }

    /// Returns the fields with the literals that stand-ins stand for. What is left is masks.
    func replacingLiterals(of texts: StandInTexts) -> Fields {
        func replacement(_ entry: Int32) -> StandInSplice.Replacement {
            if case .literal(let text) = texts.entries[Int(entry)].meaning { .literal(Array(text.utf8)) } else { .none }
        }
        let parts = Parts(self, texts, replacement)
        let headers = texts.hasLiterals ? headers.replacing(texts, replacement) : headers
        return replacing(parts, headers: headers, .standIns(texts))
    }

    /// Returns the fields with the same text in place of all stand-ins; `nil` if there are none.
    func neutral(_ texts: StandInTexts) -> Fields? {
        let replacement = { StandInSplice.Replacement.text(texts.neutralText(of: $0)) }
        let neutralHeaders = headers.replacing(texts, replacement)
        let neutral = replacing(Parts(self, texts, replacement), headers: neutralHeaders, .neutral)
        return neutral.masks == nil && neutralHeaders == headers ? nil : neutral
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
