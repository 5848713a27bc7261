// SPDX-License-Identifier: Apache-2.0

public import RepriseCassettes
internal import RepriseMatching

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
        case method, host, path
        case query(ignoring: [String])
        case body(ignoring: [String])
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
    public static let query = Matcher(kind: .query(ignoring: []))
    /// The body. JSON is compared by value, forms in any order, and anything else byte by byte.
    public static let body = Matcher(kind: .body(ignoring: []))

    /// The query without the pairs that have the given names, as for a timestamp or a nonce.
    ///
    /// ```swift
    /// configuration.matching = .standard + [.query(ignoring: ["timestamp"])]
    /// ```
    ///
    /// Recorded requests that differ only in ignored pairs form one sequence.
    ///
    /// - Parameter names: The names, without escapes.
    public static func query(ignoring names: [String]) -> Matcher {
        Matcher(kind: .query(ignoring: names))
    }

    /// The body without the given parts of a JSON document, as for a request identifier. Other bodies are compared as
    /// a whole.
    ///
    /// ```swift
    /// configuration.matching = .standard + [.body(ignoring: ["/requestId", "/messages/*/id"])]
    /// ```
    ///
    /// Recorded requests that differ only in ignored parts form one sequence.
    ///
    /// - Parameter pointers: JSON pointers (RFC 6901), such as `/requestId`. A step of `*` stands for every member of
    ///   an object and every element of an array.
    /// - Precondition: All pointers are valid.
    public static func body(ignoring pointers: [String]) -> Matcher {
        for pointer in pointers {
            precondition(
                isPointer(pointer),
                "Matcher.body(ignoring:): expected a JSON pointer such as /requestId, found '\(pointer)'"
            )
        }
        return Matcher(kind: .body(ignoring: pointers))
    }

    /// Whether a text is a JSON pointer to a part of a document (RFC 6901).
    package static func isPointer(_ text: String) -> Bool {
        var parts = IgnoredParts()
        return parts.add(pointer: text)
    }

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
