// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
package import RepriseStubs
internal import RepriseText

/// A list of values that the admin API sends.
package struct AdminList<Element: AdminListed>: AdminModel {
    package var elements: [Element]
    /// The number of values on the server, if the list may contain only some of them.
    package var total: Int?
    /// The number of older values that were dropped to make room. 0 in an answer from WireMock.
    package var dropped: Int

    package init(_ elements: [Element], total: Int? = nil, dropped: Int = 0) {
        self.elements = elements
        self.total = total
        self.dropped = dropped
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a list of \(Element.listKind.plural)")
        elements = try fields.list(Element.listKind.member, of: Element.self)
        let meta = try fields.object("meta")
        total = try meta?.integer("total")
        dropped = try meta?.integer("dropped") ?? 0
    }

    package var json: JSONTree {
        .members([
            Element.listKind.member: .list(elements), "meta": meta,
            "requestJournalDisabled": Element.listKind.isOfJournal ? .bool(false) : nil,
        ])
    }

    package var meta: JSONTree? {
        total.map { .members(["total": .integer($0), "dropped": dropped > 0 ? .integer(dropped) : nil]) }
    }
}

/// A value that the admin API sends in lists.
package protocol AdminListed: AdminModel {
    static var listKind: AdminListKind { get }
}

/// How a list of values is written.
package struct AdminListKind: Sendable {
    /// The name of the member with the values.
    var member: String
    /// What the values are, for messages.
    var plural: String
    /// Whether the values are those of the journal.
    var isOfJournal = false
}

extension StubMapping: AdminListed {
    package static var listKind: AdminListKind { AdminListKind(member: "mappings", plural: "mappings") }
}

extension ServeEvent: AdminListed {
    /// Listed newest first, from the journal.
    package static var listKind: AdminListKind {
        AdminListKind(member: "requests", plural: "requests", isOfJournal: true)
    }
}

extension LoggedRequest: AdminListed {
    /// Listed oldest first if they match a pattern, and newest first if nothing answered them.
    package static var listKind: AdminListKind { ServeEvent.listKind }
}

extension NearMiss: AdminListed {
    /// Listed nearest first.
    package static var listKind: AdminListKind { AdminListKind(member: "nearMisses", plural: "near misses") }
}

extension ScenarioState: AdminListed {
    package static var listKind: AdminListKind { AdminListKind(member: "scenarios", plural: "scenarios") }
}
