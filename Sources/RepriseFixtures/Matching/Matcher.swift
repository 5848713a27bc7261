// SPDX-License-Identifier: Apache-2.0

public import RepriseCassettes

/// A part of a request that must match the recorded request.
///
/// ```swift
/// let matching = [Matcher].standard + [.headers(["Accept-Language"])]
/// let transport = try ReplayingTransport("Fixtures/search.cassette.json", matching: matching)
/// ```
///
/// Only the parts in the list are compared. A recorded request answers if all of these parts match.
public struct Matcher: Sendable {
    let kind: Kind

    enum Kind: Sendable {
        case method, host, path, query, body
        case headers([String])
        case custom(Custom)
    }

    package struct Custom: Sendable {
        package let name: String
        package let agrees: @Sendable (_ recorded: RecordedRequest, _ incoming: RecordedRequest) -> Bool
    }

    /// The method.
    public static let method = Matcher(kind: .method)
    /// The host with its port. Without this matcher, the host only decides between recorded requests that are
    /// otherwise equal.
    public static let host = Matcher(kind: .host)
    /// The path.
    public static let path = Matcher(kind: .path)
    /// The query, with its pairs in any order.
    public static let query = Matcher(kind: .query)
    /// The body. JSON is compared by value, forms in any order, and anything else byte by byte.
    public static let body = Matcher(kind: .body)

    /// The values of the given header fields. Names are case-insensitive.
    public static func headers(_ names: [String]) -> Matcher {
        Matcher(kind: .headers(names))
    }

    /// A custom comparison, which is used only for requests that all other matchers match.
    ///
    /// - Parameters:
    ///   - name: The matcher's name in reports.
    ///   - agrees: Returns whether the recorded request answers the incoming one. It is called for recorded requests
    ///     and not for route files, possibly from several tasks at the same time.
    public static func custom(
        _ name: String,
        _ agrees: @escaping @Sendable (_ recorded: RecordedRequest, _ incoming: RecordedRequest) -> Bool
    ) -> Matcher {
        Matcher(kind: .custom(Custom(name: name, agrees: agrees)))
    }
}

extension [Matcher] {
    /// Method, path, query and body: the parts that the mock server compares.
    public static var standard: [Matcher] { [.method, .path, .query, .body] }
}
