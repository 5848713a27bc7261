// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// The requests in a server's journal, newest first: the answer to `GET /__admin/requests`.
package struct ServeEventList: AdminShape {
    package var events: [ServeEvent]
    /// The number of requests in the journal. ``events`` may contain only some of them.
    package var total: Int
    /// The number of older requests that were dropped to make room. 0 in an answer from WireMock.
    package var dropped: Int

    package init(_ events: [ServeEvent], total: Int, dropped: Int = 0) {
        self.events = events
        self.total = total
        self.dropped = dropped
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a list of requests")
        events = try fields.list("requests", of: ServeEvent.self)
        let meta = try fields.object("meta")
        total = try meta?.integer("total") ?? events.count
        dropped = try meta?.integer("dropped") ?? 0
    }

    package var json: JSONTree {
        ["requests": .list(events), "meta": meta, "requestJournalDisabled": false]
    }

    package var meta: JSONTree {
        var members: JSONObject = ["total": .integer(total)]
        if dropped > 0 { members.append("dropped", .integer(dropped)) }
        return members.tree
    }
}

/// Requests that match a pattern, oldest first, or requests that nothing answered, newest first.
package struct LoggedRequestList: AdminShape {
    package var requests: [LoggedRequest]

    package init(_ requests: [LoggedRequest]) { self.requests = requests }

    package init(reading node: JSONNode) throws(JSONMistake) {
        requests = try JSONFields(reading: node, "a list of requests").list("requests", of: LoggedRequest.self)
    }

    package var json: JSONTree { ["requests": .list(requests), "requestJournalDisabled": false] }
}

/// The requests that were removed from a journal.
package struct RemovedEvents: AdminShape {
    package var events: [ServeEvent]

    package init(_ events: [ServeEvent]) { self.events = events }

    package init(reading node: JSONNode) throws(JSONMistake) {
        events = try JSONFields(reading: node, "a list of removed requests").list("serveEvents", of: ServeEvent.self)
    }

    package var json: JSONTree { ["serveEvents": .list(events)] }
}

/// The number of requests that match a pattern.
package struct VerificationCount: AdminShape {
    package var count: Int

    package init(_ count: Int) { self.count = count }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a count")
        guard let count = try fields.integer("count") else { throw fields.mistake("count", expected: "an integer") }
        self.count = count
    }

    package var json: JSONTree { ["count": .integer(count), "requestJournalDisabled": false] }
}
