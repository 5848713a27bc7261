// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// Which requests a fixture answers. Everything in it is canonical, so that comparing is comparing bytes.
///
/// Where a recorded request has a marker of redaction (``RedactionMarker``), in any of its spellings, any text will do:
/// as a segment of the path or a part of one, the value of a query's or form's pair, a JSON string at any depth, a part
/// of a multipart body, any other body, a header that is compared; whole, or with text around it.
public struct RequestPattern: Sendable {
    /// Shared by all copies: there is one of these for each fixture, and they are passed around a lot.
    private var storage: Storage

    /// What the fixture was made from.
    public var kind: Kind { storage.kind }
    /// The method; methods are case-sensitive (RFC 9110 section 9.1).
    public var method: [UInt8] { storage.method }
    /// The path.
    public var path: Path { storage.path }
    /// The query, its decoded pairs in order; empty for none, `nil` if queries are not compared.
    public var query: [UInt8]? { storage.query }
    /// The body.
    public var body: BodyPattern { storage.body }
    /// The authority in lower case without the default port; `nil` if the fixture knows none.
    public var host: [UInt8]? { storage.host }
    /// The header lines that ``MatchingOptions/headerNames`` may ask for.
    public var headers: [HeaderLine] { storage.headers }

    /// How many bytes the body had as it was recorded, before it was made canonical.
    var recordedBodyCount: Int { storage.recordedBodyCount }
    /// The parts that hold markers of redaction; none for a route.
    var wildcards: Wildcards { storage.wildcards }

    /// What a fixture was made from.
    public enum Kind: Sendable, Hashable {
        /// A recorded exchange: method, path, query and body must be equal.
        case recorded
        /// A route: method and path decide.
        case route
    }

    /// The path of a pattern.
    public enum Path: Sendable, Hashable {
        /// Exactly these canonical bytes.
        case literal([UInt8])
        /// A path with segments that may be anything, such as `/users/{id}`.
        case template([Segment])
    }

    /// One segment of a template.
    public enum Segment: Sendable, Hashable {
        /// Exactly these canonical bytes.
        case literal([UInt8])
        /// Any bytes but none; the name is for the reader.
        case parameter(String)
    }

    /// The pattern of a recorded request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: An absolute URL, or a path with an optional query.
    ///   - headers: The header lines, of which those are compared that ``MatchingOptions/headerNames`` asks for.
    ///   - body: Which bodies it answers.
    ///   - recordedBodyCount: How many bytes the body had as it was recorded, before it was made canonical.
    public init(
        recordedMethod method: String,
        url: String,
        headers: [HeaderLine],
        body: BodyPattern,
        recordedBodyCount: Int
    ) {
        let url = URLParts(Array(url.utf8))
        storage = Storage(
            kind: .recorded,
            method: Self.shared(method),
            path: .literal(CanonicalPath.canonical(url.path.span)),
            query: url.query.map { CanonicalQuery.canonical($0.span) } ?? [],
            body: body,
            host: url.authority.flatMap { CanonicalHost.host($0, scheme: url.scheme) },
            headers: headers,
            recordedBodyCount: recordedBodyCount
        )
    }

    /// The pattern of a route: any query, any body.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - routePath: The path, which starts with `/`. A segment that is `{name}` stands for any one segment. What may
    ///     not stand in a path is escaped, so a file's name can be given as it is.
    /// - Throws: ``RoutePathError``.
    public init(method: String, routePath: String) throws(RoutePathError) {
        storage = Storage(
            kind: .route,
            method: Self.shared(method),
            path: try RequestPattern.path(of: routePath),
            query: nil,
            body: .any,
            host: nil,
            headers: [],
            recordedBodyCount: 0
        )
    }

    /// The bytes of `method`, the same array for all patterns if it is a usual one.
    private static func shared(_ method: String) -> [UInt8] {
        usualMethods[method] ?? Array(method.utf8)
    }

    private static let usualMethods = Dictionary(
        uniqueKeysWithValues: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map { ($0, Array($0.utf8)) }
    )

    /// The same pattern with those header lines alone whose names are in `names`, in any case.
    func keepingHeaders(_ names: [String]) -> RequestPattern {
        guard !headers.isEmpty else { return self }
        var copy = self
        copy.storage = Storage(
            kind: kind,
            method: method,
            path: path,
            query: query,
            body: body,
            host: host,
            headers: headers.filter { line in names.contains { line.hasName($0) } },
            recordedBodyCount: recordedBodyCount,
            wildcards: wildcards
        )
        return copy
    }

    /// The request in one line, such as `GET /users?page=2`, for messages.
    public var summary: String { ReportWriter.text { $0.append(self) } }
}

extension RequestPattern: Hashable {
    /// Whether both take the same requests for the same reasons.
    public static func == (one: RequestPattern, other: RequestPattern) -> Bool {
        one.storage === other.storage
            || one.kind == other.kind && one.method == other.method && one.path == other.path
                && one.query == other.query && one.body == other.body && one.host == other.host
                && one.headers == other.headers
    }

    /// Feeds what usually tells patterns apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(path)
        hasher.combine(query)
        hasher.combine(body)
    }
}

/// The fields of a pattern.
private final class Storage: Sendable {
    let kind: RequestPattern.Kind
    let method: [UInt8]
    let path: RequestPattern.Path
    let query: [UInt8]?
    let body: BodyPattern
    let host: [UInt8]?
    let headers: [HeaderLine]
    let recordedBodyCount: Int
    let wildcards: RequestPattern.Wildcards

    init(
        kind: RequestPattern.Kind,
        method: [UInt8],
        path: RequestPattern.Path,
        query: [UInt8]?,
        body: BodyPattern,
        host: [UInt8]?,
        headers: [HeaderLine],
        recordedBodyCount: Int,
        wildcards: RequestPattern.Wildcards? = nil
    ) {
        self.kind = kind
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.host = host
        self.headers = headers
        self.recordedBodyCount = recordedBodyCount
        let found = kind == .route ? [] : RequestPattern.Wildcards(path: path, query: query, body: body)
        self.wildcards = wildcards ?? found
    }
}
