// SPDX-License-Identifier: Apache-2.0

/// Which requests a fixture answers. Everything in it is canonical, so that comparing is comparing bytes.
public struct RequestPattern: Sendable, Hashable {
    /// What the fixture was made from.
    public let kind: Kind
    /// The method; methods are case-sensitive (RFC 9110 section 9.1).
    public let method: [UInt8]
    /// The path.
    public let path: Path
    /// The query, its decoded pairs in order; empty for none, `nil` if queries are not compared.
    public let query: [UInt8]?
    /// The body.
    public let body: BodyPattern
    /// The authority in lower case without the default port; `nil` if the fixture knows none.
    public let host: [UInt8]?
    /// The header lines that ``MatchingOptions/headerNames`` may ask for.
    public let headers: [HeaderLine]

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
    ///   - request: The request.
    ///   - headerNames: The names of the headers that matching will be asked to compare; `nil` keeps all lines.
    ///   - contents: Reads a body that is kept in a file; `nil` if it cannot be read, and then it is not compared.
    public init(
        recorded request: RecordedRequest,
        headerNames: [String]? = nil,
        contents: (FileSource) -> [UInt8]? = BodyPattern.contents(of:)
    ) {
        let url = URLParts(Array(request.url.utf8))
        kind = .recorded
        method = Array(request.method.utf8)
        path = .literal(CanonicalPath.canonical(url.path.span))
        query = url.query.map { CanonicalQuery.canonical($0.span) } ?? []
        host = url.authority.flatMap { CanonicalHost.host($0, scheme: url.scheme) }
        body = BodyPattern(recorded: request, contents: contents)
        headers =
            headerNames.map { names in
                request.headers.filter { line in names.contains { line.hasName(equalTo: $0) } }
            } ?? request.headers
    }

    /// The pattern of a route: any query, any body.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - routePath: The path, which starts with `/`. A segment that is `{name}` stands for any one segment. What may
    ///     not stand in a path is escaped, so a file's name can be given as it is.
    /// - Throws: ``RoutePathError``.
    public init(method: String, routePath: String) throws(RoutePathError) {
        kind = .route
        self.method = Array(method.utf8)
        path = try RequestPattern.path(of: routePath)
        query = nil
        body = .any
        host = nil
        headers = []
    }

    /// The request in one line, such as `GET /users?page=2`, for messages.
    public var summary: String { ReportWriter.text { $0.append(self) } }
}
