// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
internal import RepriseText

/// The requests in a server's journal, newest first: the answer to `GET /__admin/requests`.
public struct ServeEventList: AdminShape {
    /// The events.
    public var events: [ServeEvent]
    /// The number of requests in the journal. ``events`` may contain only some of them.
    public var total: Int
    /// The number of older requests that were dropped to make room. 0 in an answer from WireMock.
    public var dropped: Int

    /// Creates a list.
    public init(_ events: [ServeEvent], total: Int, dropped: Int = 0) {
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

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree {
        ["requests": .list(events), "meta": meta, "requestJournalDisabled": false]
    }

    package var meta: JSONTree {
        var members: JSONObject = ["total": .integer(total)]
        if dropped > 0 { members.append("dropped", .integer(dropped)) }
        return members.tree
    }
}

/// Requests that match a pattern, oldest first, or requests that nothing answered, newest first.
public struct LoggedRequestList: AdminShape {
    /// The requests.
    public var requests: [LoggedRequest]

    /// Creates a list.
    public init(_ requests: [LoggedRequest]) {
        self.requests = requests
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        requests = try JSONFields(reading: node, "a list of requests").list("requests", of: LoggedRequest.self)
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree { ["requests": .list(requests), "requestJournalDisabled": false] }
}

/// The requests that were removed from a journal.
public struct RemovedEvents: AdminShape {
    /// The events.
    public var events: [ServeEvent]

    /// Creates a list.
    public init(_ events: [ServeEvent]) {
        self.events = events
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        events = try JSONFields(reading: node, "a list of removed requests").list("serveEvents", of: ServeEvent.self)
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree { ["serveEvents": .list(events)] }
}

/// The number of requests that match a pattern.
public struct VerificationCount: AdminShape {
    /// The number.
    public var count: Int

    /// Creates a count.
    public init(_ count: Int) {
        self.count = count
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a count")
        guard let count = try fields.integer("count") else { throw fields.mistake("count", expected: "an integer") }
        self.count = count
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree { ["count": .integer(count), "requestJournalDisabled": false] }
}
