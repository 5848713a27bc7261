// SPDX-License-Identifier: Apache-2.0

/// The number of requests that a verification expects.
public enum RequestCount: Sendable, Hashable, CustomStringConvertible {
    /// This number of requests.
    case exactly(Int)
    /// This number of requests, or more.
    case atLeast(Int)
    /// This number of requests, or fewer.
    case atMost(Int)

    /// No request.
    public static let never = RequestCount.exactly(0)

    /// Returns whether a number of requests is as expected.
    public func includes(_ count: Int) -> Bool {
        switch self {
        case .exactly(let expected): count == expected
        case .atLeast(let least): count >= least
        case .atMost(let most): count <= most
        }
    }

    /// A text such as `exactly 1 request`.
    public var description: String {
        switch self {
        case .exactly(0): "no request"
        case .exactly(let count): "exactly \(Self.requests(count))"
        case .atLeast(let count): "at least \(Self.requests(count))"
        case .atMost(let count): "at most \(Self.requests(count))"
        }
    }

    private static func requests(_ count: Int) -> String { count == 1 ? "1 request" : "\(count) requests" }
}
