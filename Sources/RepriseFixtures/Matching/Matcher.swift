// SPDX-License-Identifier: Apache-2.0

public import RepriseCassettes

/// Something about a request that has to be as it was recorded.
///
/// ```swift
/// let matching = [Matcher].standard + [.headers(["Accept-Language"])]
/// let transport = try ReplayingTransport("Fixtures/search.cassette.json", matching: matching)
/// ```
///
/// What is not in the list is not compared. A request is answered by the recorded one that agrees in all that is.
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
    /// The host, with its port. Without it, the host only decides between recorded requests that are equal in all else.
    public static let host = Matcher(kind: .host)
    /// The path.
    public static let path = Matcher(kind: .path)
    /// The query, its pairs in any order.
    public static let query = Matcher(kind: .query)
    /// The body: JSON by value, forms in any order, anything else byte by byte.
    public static let body = Matcher(kind: .body)

    /// The values of these header fields, their names in any case.
    public static func headers(_ names: [String]) -> Matcher {
        Matcher(kind: .headers(names))
    }

    /// A comparison of one's own, of requests that agree in all else.
    ///
    /// - Parameters:
    ///   - name: what a report calls it.
    ///   - agrees: whether the recorded request answers the incoming one. Called for requests that were recorded, not for
    ///     route files, possibly from several tasks at once.
    public static func custom(
        _ name: String,
        _ agrees: @escaping @Sendable (_ recorded: RecordedRequest, _ incoming: RecordedRequest) -> Bool
    ) -> Matcher {
        Matcher(kind: .custom(Custom(name: name, agrees: agrees)))
    }
}

extension [Matcher] {
    /// Method, path, query and body: what the mock server compares.
    public static var standard: [Matcher] { [.method, .path, .query, .body] }
}
