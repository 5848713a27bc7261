// SPDX-License-Identifier: Apache-2.0

package import RepriseStubs
internal import RepriseText

extension StubFixture {
    /// The method and target of the requests that it answers, such as `GET /users/{id}`.
    package var summary: String { "\(mapping.request.method.summary) \(mapping.request.url.summary)" }
}

extension StubRequest.Method {
    /// The methods in one word, such as `GET,HEAD`.
    package var summary: String {
        switch self {
        case .any: "ANY"
        case .oneOf(let names): names.joined(separator: ",")
        case .noneOf(let names): "not " + names.joined(separator: ",")
        }
    }
}

extension StubRequest.URLCondition {
    /// The condition in one word, such as `/users/{id}`.
    package var summary: String {
        switch self {
        case .any: "*"
        case .equalTo(let text), .path(let text), .pathTemplate(let text): text
        case .matching(let pattern), .pathMatching(let pattern): "~ \(pattern)"
        }
    }
}
