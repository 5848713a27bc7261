// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseMatching
internal import RepriseStubAnswers

/// A session as it is served: its own stubs in front of those of the server, with its own states and counters. Only
/// these states and counters change; a change of its stubs replaces the whole value.
final class ServedSession: Sendable {
    let id: SessionID
    /// The number of the session in journal records. 0 stands for the server.
    let number: Int
    let stubs: StubStack
    /// The stubs of the server that the session does not serve.
    let hidden: InheritedHiding
    /// The state of the stubs, which requests change.
    let stubPlay: StubState
    let positions: SessionPositions
    let bindings: StandInBindings
    /// The number of requests and changes so far, which shows whether the session is idle.
    let uses: OrdinalCounter

    init(_ id: SessionID, number: Int, _ encoder: HTTP1Encoder) {
        self.id = id
        self.number = number
        stubs = StubStack(firstNumber: Self.firstAdded, encoder)
        hidden = InheritedHiding()
        stubPlay = StubState(countsApart: true)
        positions = SessionPositions()
        bindings = StandInBindings()
        uses = OrdinalCounter()
    }

    private init(
        _ former: ServedSession,
        stubs: StubStack? = nil,
        hidden: InheritedHiding? = nil,
        bindings: StandInBindings? = nil
    ) {
        id = former.id
        number = former.number
        stubPlay = former.stubPlay
        uses = former.uses
        positions = former.positions
        self.stubs = stubs ?? former.stubs
        self.hidden = hidden ?? former.hidden
        self.bindings = bindings ?? former.bindings
    }

    /// The number of the first stub that a session adds. It counts as newer than all stubs of the server.
    private static let firstAdded = 1 << 48

    /// - Parameter inherited: The stubs of the server.
    func applying(_ change: StubChange, over inherited: StubStack) -> ServedSession {
        var (stubs, hidden) = (stubs, hidden)
        switch change {
        case .add(let added):
            hidden.insert(added.lazy.map(\.id).filter { inherited.contains($0) })
            stubs.apply(change)
        case .replace(let id, let stub):
            if stubs.contains(id) {
                stubs.apply(change)
            } else if let served = inherited.stub(id), !hidden.contains(served.entry) {
                stubs.insert(stub, number: served.entry.number)
            } else {
                return self
            }
            hidden.insert([id, stub.id].lazy.filter { inherited.contains($0) })
        case .remove(let ids):
            hidden.insert(ids.lazy.filter { inherited.contains($0) })
            stubs.apply(change)
        case .removeAll:
            hidden.insertAll()
            stubs.apply(change)
        case .resetToFiles:
            hidden = InheritedHiding()
            stubs.apply(change)
        }
        return ServedSession(self, stubs: stubs, hidden: hidden)
    }

    func withFreeStandIns() -> ServedSession { ServedSession(self, bindings: StandInBindings()) }
}

/// The stubs of the server that a session does not serve.
struct InheritedHiding: Sendable {
    private var ids: Set<String> = []
    /// The serial number up to which all stubs are hidden.
    private var last = 0

    var isEmpty: Bool { ids.isEmpty && last == 0 }

    func contains(_ stub: StubEntry) -> Bool {
        stub.serial <= last || !ids.isEmpty && ids.contains(stub.rule.id)
    }

    mutating func insert(_ ids: some Sequence<String>) {
        self.ids.formUnion(ids)
    }

    mutating func insertAll() {
        last = StubEntry.lastSerial
    }
}

/// The positions of a session in the sequences that it has requested. Previous and current fixtures share them.
final class SessionPositions: SequenceCounter {
    private let positions = Locked<[ObjectIdentifier: Position]>([:])

    private struct Position {
        /// Keeps the identity of the sequence from being used again.
        var sequence: OrdinalCounter
        var ordinal = 0

        mutating func take() -> Int {
            ordinal += 1
            return ordinal
        }
    }

    func take(_ sequence: OrdinalCounter) -> Int {
        positions.withLock { $0[ObjectIdentifier(sequence), default: Position(sequence: sequence)].take() }
    }

    func taken(_ sequence: OrdinalCounter) -> Int {
        positions.withLock { $0[ObjectIdentifier(sequence)]?.ordinal ?? 0 }
    }

    func reset() {
        positions.withLock { $0 = [:] }
    }

    var count: Int { positions.withLock { $0.count } }

    /// Forgets the sequences that are neither served nor used by a request in progress.
    func removeUnused() {
        positions.withLock { positions in
            var unused: [ObjectIdentifier] = []
            // The indices of the dictionary would share its storage, and thereby keep the sequences in use.
            var index = positions.startIndex
            while index != positions.endIndex {
                if isKnownUniquelyReferenced(&positions.values[index].sequence) { unused.append(positions.keys[index]) }
                positions.formIndex(after: &index)
            }
            for sequence in unused { positions[sequence] = nil }
        }
    }
}
