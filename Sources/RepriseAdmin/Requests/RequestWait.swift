// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
package import RepriseStubs
internal import RepriseText

/// Asks a server to answer as soon as it has received a request: the body of `POST /__admin/reprise/requests/next`.
package struct RequestWait: AdminModel {
    /// The conditions that the request must satisfy.
    package var request: StubRequest
    /// The number of matching requests to skip.
    package var skip: Int
    /// The longest time to wait, in milliseconds. The server waits at most one minute.
    package var milliseconds: Int

    package init(_ request: StubRequest, skip: Int = 0, milliseconds: Int) {
        self.request = request
        self.skip = skip
        self.milliseconds = milliseconds
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let known = ["request", "skip", "withinMilliseconds"]
        let fields = try JSONFields(reading: node, "a wait for a request", known: known)
        guard let pattern = fields["request"] else {
            throw fields.mistake("request", expected: "conditions of a request")
        }
        request = try StubRequest(reading: pattern)
        skip = max(0, try fields.integer("skip") ?? 0)
        milliseconds = max(0, try fields.integer("withinMilliseconds") ?? 0)
    }

    package var json: JSONTree {
        [
            "request": request.json, "skip": .integer(skip), "withinMilliseconds": .integer(milliseconds),
        ]
    }
}
