// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The path of a call, with an optional query, or an absolute URL.
///
/// Write it as a string literal. Interpolated values are escaped for their position, so a value cannot change the path
/// or add a query: with the ID `a?admin=1`, this call is `GET /users/a%3Fadmin%3D1`.
///
/// ```swift
/// let call = api.get("/users/\(id)")
/// ```
///
/// There is no conversion from `String`, because the inserted values of an existing string can no longer be told from
/// the rest. ``init(raw:)`` uses such a string as it is.
///
/// A value in the path becomes a single segment or a part of one: slashes, question marks, percent signs, and all other
/// characters that would end it are escaped (RFC 3986 section 2.4). If the value makes the segment empty, `.`, or `..`,
/// the call fails with ``ClientError/Code/invalidURL``, because the path would refer to something else:
/// `DELETE /users/` instead of a single user.
public struct RequestPath: Sendable, Hashable {
    /// The text as it was written, with escaped values. Characters of literals are escaped when the call is sent.
    public let raw: String

    /// Creates a path from text in which `?`, `#`, `%`, and `..` have their meaning in a URL.
    public init(raw: String) { self.raw = raw }

    /// Creates a path from a URL: an absolute URL, or one that is relative to the client's base URL.
    public init(_ url: URL) { raw = url.absoluteString }
}

extension RequestPath: ExpressibleByStringInterpolation {
    /// Creates a path from a literal.
    public init(stringLiteral text: String) { raw = text }

    /// Creates a path from a literal with values.
    public init(stringInterpolation: StringInterpolation) { raw = stringInterpolation.finished }

    /// The parts of a path, with each value escaped for its position.
    public struct StringInterpolation: StringInterpolationProtocol {
        private var text = ""
        private var isInQuery = false
        /// The offsets in the text of values that are empty.
        private var emptyValues: [Int] = []

        /// Creates an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Appends a literal part as written.
        public mutating func appendLiteral(_ literal: String) {
            isInQuery = isInQuery || literal.utf8.contains(UInt8(ascii: "?"))
            text += literal
        }

        /// Appends a value, escaped as a path segment or as a name or value in the query.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            let value = String(describing: value)
            // In a query, an empty value is as good as any.
            if value.isEmpty, !isInQuery { emptyValues.append(text.utf8.count) }
            text += URLPart.value.escape(value)
        }

        /// Appends a path as it is. In a query, it is escaped as a value.
        public mutating func appendInterpolation(_ path: RequestPath) { append(path.raw) }

        /// Appends a URL as it is, for example as the base of a path. In a query, it is escaped as a value.
        public mutating func appendInterpolation(_ url: URL) { append(url.absoluteString) }

        /// Appends text without escaping `?`, `#`, `%`, `/`, or `..`.
        public mutating func appendInterpolation(raw: String) { appendLiteral(raw) }

        /// The text, with a placeholder for each value that leaves its segment empty.
        fileprivate var finished: String {
            guard !emptyValues.isEmpty else { return text }
            var bytes = Array(text.utf8)
            for offset in emptyValues.reversed() {
                let isStart = offset == 0 || bytes[offset - 1] == UInt8(ascii: "/")
                let isEnd = offset == bytes.count || "/?#".utf8.contains(bytes[offset])
                if isStart, isEnd { bytes.insert(EmptySegment.mark, at: offset) }
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        private mutating func append(_ reference: String) {
            if isInQuery { text += URLPart.value.escape(reference) } else { appendLiteral(reference) }
        }
    }
}

extension RequestPath: CustomStringConvertible, CustomReflectable {
    /// The path without the secrets in its query.
    public var description: String { SecretQuery.redacted(raw) }

    /// The path without the secrets in its query.
    public var customMirror: Mirror { Mirror(self, children: ["raw": description]) }
}

extension Endpoint {
    /// The type of ``path``. Within an endpoint, this name takes precedence over that of other modules.
    public typealias Path = RequestPath
}

/// The placeholder for a missing value in a path: the control character SUBSTITUTE, which is invalid in a path, so
/// that the missing value is detected when the URL is created.
enum EmptySegment {
    static let mark: UInt8 = 0x1A
}
