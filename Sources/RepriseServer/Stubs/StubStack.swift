// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseText

/// The stubs that are served, in layers, so that a change is cheap even among many stubs.
///
/// A new stub is a layer of its own. While the last layer is at least a quarter as large as the one before it, the two
/// are merged, so there are few layers. A removed stub is only hidden. The stubs are tried in the same order as in one
/// catalog: by priority, and then the newest first.
struct StubStack: Sendable {
    /// The layers, largest first. None is empty.
    private(set) var layers: [StubLayer] = []
    private var files: StubLayer?
    private let encoder: HTTP1Encoder
    private var next: Int

    /// The number of the first stub that is added while the server runs. Those of files have lower numbers, so that
    /// they count as older even after they are loaded again.
    static let firstAdded = 1 << 32

    init(_ stubs: [StubFixture], _ encoder: HTTP1Encoder) {
        self.init(firstNumber: Self.firstAdded, encoder)
        guard !stubs.isEmpty else { return }
        let layer = StubLayer(stubs.enumerated().map { ServedStub($1, number: $0) }, encoder)
        files = layer
        layers = [layer]
    }

    /// Creates an empty stack.
    ///
    /// - Parameter firstNumber: The number of the first stub that is added.
    init(firstNumber: Int, _ encoder: HTTP1Encoder) {
        self.encoder = encoder
        next = firstNumber
    }

    /// Creates a stack of what is served in a session.
    ///
    /// - Parameters:
    ///   - own: The stubs that were added in the session.
    ///   - inherited: The stubs of the server.
    init(_ own: StubStack, over inherited: StubStack, hiding: InheritedHiding) {
        self = own
        let below = inherited.layers.map { layer in
            var layer = layer
            if !hiding.isEmpty { layer.inheritedHiding = hiding }
            return layer
        }
        layers = below + own.layers
    }

    // MARK: Contents

    var count: Int { layers.reduce(0) { $0 + $1.count } }

    var isEmpty: Bool { layers.isEmpty }

    var stubsInOrder: [StubFixture] { served.sorted { $0.entry.precedes($1.entry) }.map(\.stub) }

    var served: [ServedStub] { layers.flatMap(\.served) }

    func stub(_ id: String) -> ServedStub? {
        place(of: id).map { layers[$0.layer].stubs[$0.stub] }
    }

    /// Returns the stub of the files with an identifier, as it was loaded.
    func fileStub(_ id: String) -> StubFixture? {
        files.flatMap { layer in layer.content.identifiers.number(of: id, in: layer.stubs).map { layer.stubs[$0].stub }
        }
    }

    /// Returns the stubs with these identifiers.
    func stubs(_ ids: some Sequence<String>) -> [ServedStub] { ids.compactMap { stub($0) } }

    /// Whether there is a stub with an identifier.
    func contains(_ id: String) -> Bool { place(of: id) != nil }

    private func place(of id: String) -> (layer: Int, stub: Int)? {
        for (layer, contents) in layers.enumerated().reversed() {
            if let stub = contents.number(ofID: id) { return (layer, stub) }
        }
        return nil
    }

    /// Whether a stub forwards requests to another server.
    var hasProxies: Bool { layers.contains { $0.content.hasProxies } }

    /// Whether a stub that can answer a request compares its content.
    func needsContent(_ request: RequestView) -> Bool {
        layers.contains { $0.content.needsContent && !$0.catalog.candidates(request).isEmpty }
    }

    /// Returns the stubs nearest to a request, with the conditions that differ; see
    /// ``StubCatalog/nearStubs(_:_:limit:hiding:where:)``.
    func nearStubs(
        _ facts: DecodedRequest,
        _ play: StubState,
        limit: Int = 3,
        hiding hide: ((MissReport.Part) -> [UInt8]?)?
    ) -> [(near: NearStub, stub: ServedStub)] {
        var near: [(near: NearStub, stub: ServedStub)] = []
        for layer in layers {
            near += layer.catalog.nearStubs(facts, play, limit: limit, hiding: hide) { layer.serves($0) }
                .map { ($0.near, layer.stubs[$0.stub]) }
        }
        if layers.count > 1 {
            near.sort { one, other in
                one.near.distance == other.near.distance
                    ? one.stub.entry.precedes(other.stub.entry) : one.near.distance < other.near.distance
            }
        }
        return Array(near.prefix(limit))
    }

    // MARK: Changes

    mutating func apply(_ change: StubChange) {
        switch change {
        case .add(let stubs): add(stubs)
        case .replace(let id, let stub):
            guard let number = self.stub(id)?.entry.number else { return }
            hide(id)
            insert(stub, number: number)
        case .remove(let ids):
            for id in ids { hide(id) }
            compact()
        case .removeAll: layers = []
        case .resetToFiles: layers = files.map { [$0] } ?? []
        }
    }

    /// Adds a stub at a place in the order in which stubs are tried. An existing stub with the same identifier is
    /// removed.
    mutating func insert(_ stub: StubFixture, number: Int) {
        hide(stub.id)
        append([ServedStub(stub, number: number)])
    }

    private mutating func add(_ stubs: [StubFixture]) {
        var last: [ExactText: Int] = [:]
        for (place, stub) in stubs.enumerated() { last[stub.id] = place }
        let stubs = stubs.enumerated().filter { last[$1.id] == $0 }.map(\.element)
        for stub in stubs { hide(stub.id) }
        append(stubs.enumerated().map { ServedStub($1, number: next + $0) })
        next += stubs.count
    }

    /// Returns a stack with new stubs from files. Added stubs stay, and unchanged stubs keep their counters.
    func reloaded(_ stubs: [StubFixture]) -> StubStack {
        var reloaded = StubStack([], encoder)
        reloaded.next = next
        var known: [ExactText: ServedStub] = [:]
        for stub in served where stub.entry.number < Self.firstAdded { known[stub.stub.id] = stub }
        let fileStubs = stubs.enumerated().map { number, stub in
            guard let former = known[stub.id], former.stub.mapping == stub.mapping else {
                return ServedStub(stub, number: number)
            }
            return former.moved(to: number, as: stub)
        }
        if !fileStubs.isEmpty {
            let layer = StubLayer(fileStubs, encoder)
            reloaded.files = layer
            reloaded.layers = [layer]
        }
        let added = served.filter { $0.entry.number >= Self.firstAdded }
        for stub in added { reloaded.hide(stub.stub.id) }
        reloaded.append(added)
        return reloaded
    }

    func resetCounters() {
        // Removed stubs may be restored, so their counters are reset too.
        for layer in layers + (files.map { [$0] } ?? []) { layer.stubs.forEach { $0.entry.counter.reset() } }
    }

    private mutating func hide(_ id: String) {
        if let place = place(of: id) { layers[place.layer].hide(place.stub) }
    }

    /// Adds a layer, and merges it with the last layers if they are of similar size.
    private mutating func append(_ stubs: [ServedStub]) {
        var last = stubs
        layers.removeAll { $0.count == 0 }
        while let layer = layers.last, last.count * 4 >= layer.count {
            last = layer.served + last
            layers.removeLast()
        }
        guard !last.isEmpty else { return }
        // An edited stub is in a newer layer than its number suggests, so sort by number.
        layers.append(StubLayer(last.sorted { $0.entry.number < $1.entry.number }, encoder))
    }

    /// Rebuilds layers of which most stubs are hidden.
    private mutating func compact() {
        for place in layers.indices.reversed() {
            guard layers[place].hidden.count * 2 > layers[place].stubs.count else { continue }
            let visible = layers[place].served
            if visible.isEmpty { layers.remove(at: place) } else { layers[place] = StubLayer(visible, encoder) }
        }
    }
}
