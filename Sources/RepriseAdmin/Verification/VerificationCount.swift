// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments

/// The number of requests that match a pattern.
package struct VerificationCount: AdminModel {
    package var count: Int

    package init(_ count: Int) { self.count = count }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a count")
        guard let count = try fields.integer("count") else { throw fields.mistake("count", expected: "an integer") }
        self.count = count
    }

    package var json: JSONTree { ["count": .integer(count), "requestJournalDisabled": false] }
}
