// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseText

/// Stubs that were added together or merged, with their answers. Stubs that have been removed since are hidden.
struct StubLayer: Sendable {
    /// What never changes. A class, because each request refers to it.
    let content: Content
    private(set) var hidden = HiddenStubs()
    /// The stubs that the session does not serve; nil outside of sessions, and for stubs of the session itself.
    var inheritedHiding: InheritedHiding?

    /// - Parameter stubs: The stubs, oldest first, each with a different identifier.
    init(_ stubs: [ServedStub], _ encoder: HTTP1Encoder) {
        content = Content(stubs, encoder)
    }

    final class Content: Sendable {
        /// The stubs by their number, the oldest first.
        let stubs: [ServedStub]
        let catalog: StubCatalog
        let answers: EncodedAnswers
        let identifiers: StubIdentifiers
        /// Whether any stub needs the content of requests.
        let needsContent: Bool
        /// Whether other servers answer instead of stubs.
        let hasProxies: Bool

        fileprivate init(_ stubs: [ServedStub], _ encoder: HTTP1Encoder) {
            self.stubs = stubs
            catalog = StubCatalog(stubs.map(\.entry))
            needsContent = stubs.contains { $0.stub.needsContent }
            hasProxies = stubs.contains { $0.stub.answer.isProxy }
            answers = EncodedAnswers(
                stubs.map { $0.stub.answer.plan ?? ResponsePlan(steps: [], framing: .none) },
                encoder
            )
            identifiers = StubIdentifiers(stubs)
        }
    }

    var stubs: [ServedStub] { content.stubs }
    var catalog: StubCatalog { content.catalog }

    var count: Int { stubs.count - hidden.count }

    var isWhole: Bool { hidden.count == 0 && inheritedHiding == nil }

    func serves(_ stub: Int) -> Bool {
        if hidden.contains(stub) { return false }
        return inheritedHiding?.contains(catalog.entries[stub]) != true
    }

    /// The stubs that are served, oldest first.
    var served: [ServedStub] {
        isWhole ? stubs : stubs.indices.filter { serves($0) }.map { stubs[$0] }
    }

    func number(ofID id: String) -> Int? {
        content.identifiers.number(of: id, in: stubs).flatMap { serves($0) ? $0 : nil }
    }

    mutating func hide(_ stub: Int) {
        hidden.insert(stub, of: stubs.count)
    }
}

/// The stubs that were removed from a layer: one bit for each stub, or no bits if none were removed.
struct HiddenStubs: Sendable {
    private var words: [UInt64] = []
    private(set) var count = 0

    func contains(_ stub: Int) -> Bool {
        count > 0 && words[stub >> 6] & (1 << UInt64(stub & 63)) != 0
    }

    /// - Parameter total: The number of stubs in the layer.
    mutating func insert(_ stub: Int, of total: Int) {
        guard !contains(stub) else { return }
        if words.isEmpty { words = Array(repeating: 0, count: (total + 63) / 64) }
        words[stub >> 6] |= 1 << UInt64(stub & 63)
        count += 1
    }
}

/// Finds the stubs of a layer by identifier: a hash table of their numbers.
struct StubIdentifiers: Sendable {
    /// The numbers of stubs, or -1. The count is a power of two.
    private let slots: [Int32]

    init(_ stubs: [ServedStub]) {
        var count = 4
        while count < stubs.count * 2 { count *= 2 }
        var slots = Array(repeating: Int32(-1), count: count)
        for (number, stub) in stubs.enumerated() {
            var slot = stub.stub.id.hashValue & (count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (count - 1) }
            slots[slot] = Int32(number)
        }
        self.slots = slots
    }

    /// Returns the number of the stub with an identifier.
    func number(of id: String, in stubs: [ServedStub]) -> Int? {
        var slot = id.hashValue & (slots.count - 1)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if stubs[number].stub.id == id { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }
}
