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
    /// Finds the masks in canonical bytes; `nil` if the pattern has none.
    var findMasks: MaskFinder? { storage.findMasks }

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
            precedence: .recording,
            method: Self.shared(method),
            path: .literal(CanonicalPath.canonical(url.path.span)),
            query: url.query.map { CanonicalQuery.canonical($0.span) } ?? [],
            body: body,
            host: url.authority.flatMap { CanonicalHost.host($0, scheme: url.scheme) },
            headers: headers,
            recordedBodyCount: recordedBodyCount,
            findMasks: findMasks
        )
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
            findMasks: storage.findMasks,
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
            findMasks: storage.findMasks
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
    /// The masks in the parts of a recorded request.
    final class Masks: Sendable {
        let path: [Range<Int>]
        let query: [Range<Int>]
        let body: [Range<Int>]

        /// Creates the masks that `find` returns. Returns `nil` if there are none.
        init?(path: Path, query: [UInt8]?, body: BodyPattern, _ find: MaskFinder) {
            if case .literal(let bytes) = path { self.path = find(bytes.span) } else { self.path = [] }
            self.query = query.map { find($0.span) } ?? []
            if case .equal(_, let bytes) = body { self.body = find(bytes.span) } else { self.body = [] }
            if self.path.isEmpty, self.query.isEmpty, self.body.isEmpty { return nil }
        }
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
    let findMasks: MaskFinder?
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
        findMasks: MaskFinder? = nil,
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
        self.findMasks = findMasks
        self.masks = masks ?? findMasks.flatMap { RequestPattern.Masks(path: path, query: query, body: body, $0) }
    }
}
