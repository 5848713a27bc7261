// SPDX-License-Identifier: Apache-2.0

public import RepriseStubs
internal import RepriseText

/// The reason that a verification failed, with the requests that come nearest to the expected ones.
public struct VerificationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The conditions that requests were compared with.
    public var request: StubRequest
    /// The expected number of requests.
    public var expected: RequestCount
    /// The number of requests that match.
    public var found: Int
    /// The nearest requests that do not match, nearest first.
    public var nearest: [NearMiss]

    /// Creates a failure.
    public init(_ request: StubRequest, expected: RequestCount, found: Int, nearest: [NearMiss] = []) {
        self.request = request
        self.expected = expected
        self.found = found
        self.nearest = nearest
    }

    /// The number expected and found, then for each near request the conditions that it does not satisfy.
    public var description: String {
        var lines = ["expected \(expected) for \(request.shownPattern), found \(found)"]
        if !nearest.isEmpty { lines.append(nearest.count == 1 ? "The nearest request:" : "The nearest requests:") }
        for miss in nearest { lines += miss.lines }
        if nearest.isEmpty, found == 0 { lines.append("The server received no similar request.") }
        return lines.joined(separator: "\n")
    }
}

extension NearMiss {
    /// The request, and below it each condition that it does not satisfy.
    package var lines: [String] {
        ["  \(request.method) \(request.url)"]
            + conditions.filter { !$0.isMatch }.map { condition in
                "    \(condition.field): expected \(condition.expected), found \(condition.found ?? "nothing")"
                    + (condition.isUndecided ? "; the comparison reached the limit of steps without a result" : "")
            }
    }
}

extension StubRequest {
    /// The method and the URL, such as `POST /users`, or all conditions as JSON if there are others.
    package var shownPattern: String {
        let json = String(decoding: json.bytes, as: UTF8.self)
        let (rest, name, target) = (StubRequest(method: method, url: url), methodName, urlText)
        guard rest == self, let name, let target else { return json }
        return "\(name) \(target)"
    }

    private var methodName: String? {
        switch method {
        case .any: "ANY"
        case .oneOf(let names): names.count == 1 ? names[0] : nil
        case .noneOf: nil
        }
    }

    private var urlText: String? {
        switch url {
        case .any: "any URL"
        case .equalTo(let text), .path(let text), .pathTemplate(let text): text
        case .matching, .pathMatching: nil
        }
    }
}
