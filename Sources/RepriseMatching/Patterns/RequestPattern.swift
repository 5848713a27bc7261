// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// Which requests a fixture answers. Everything in it is canonical, so that comparing is comparing bytes.
///
/// Where a recorded request has a mask, any text will do:
/// as a segment of the path or a part of one, the value of a query's or form's pair, a JSON string at any depth, a part
/// of a multipart body, any other body, a header that is compared; whole, or with text around it.
public struct RequestPattern: Sendable {
    /// Shared by all copies: there is one of these for each fixture, and they are passed around a lot.
    private var storage: Storage

    /// When it is asked, among patterns that match the same request.
    package var precedence: Precedence { storage.precedence }
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
    /// Where the masks are; `nil` if there are none in the path, the query and the body.
    var masks: Masks? { storage.masks }
    /// Finds the masks of canonical bytes; `nil` if there are none.
    var findMasks: MaskFinder? { storage.findMasks }

    /// The order in which patterns that match the same request are asked. The lower one answers.
    ///
    /// After all of them come the fallbacks: GET for a HEAD request, and the allowed methods for OPTIONS.
    package enum Precedence: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// A recorded exchange: method, path, query and body are compared.
        case recording
        /// A route with a literal path: method and path are compared.
        case route
        /// A route with parameters in its path.
        case template

        /// Whether patterns of `left` are asked before those of `right`.
        package static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }
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
    ///   - findMasks: Finds the parts of canonical bytes where any text will do; `nil` if there are none.
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

    /// The pattern of a route: any query, any body.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - routePath: The path, which starts with `/`. A segment that is `{name}` stands for any one segment. What may
    ///     not stand in a path is escaped, so a file's name can be given as it is.
    /// - Throws: ``RoutePathError``.
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

    /// The request in one line, such as `GET /users?page=2`, for messages.
    public var summary: String { ReportWriter.text { $0.append(self) } }
}

extension RequestPattern: Hashable {
    /// Whether both take the same requests for the same reasons.
    public static func == (one: RequestPattern, other: RequestPattern) -> Bool {
        one.storage === other.storage
            || one.precedence == other.precedence && one.method == other.method && one.path == other.path
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

extension RequestPattern {
    /// Where the parts of a recorded request have masks.
    final class Masks: Sendable {
        let path: [Range<Int>]
        let query: [Range<Int>]
        let body: [Range<Int>]

        /// The masks that `find` finds; `nil` if there are none.
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
