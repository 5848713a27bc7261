// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseMatching
import RepriseStubAnswers
import RepriseStubs
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Random changes of stubs and requests, compared with a list that is searched from its start.
@Suite struct StubStackTests {
    /// The expected behavior of a stack, implemented in the simplest way.
    private struct Model {
        struct Stub {
            var mapping: StubMapping
            var id: String
            var number: Int
            var isInherited = false
            var taken = 0
        }

        var stubs: [Stub] = []
        var states: [String: String] = [:]

        func precedes(_ one: Stub, _ other: Stub) -> Bool {
            let (first, second) = (one.mapping.priority ?? 5, other.mapping.priority ?? 5)
            return first == second ? one.number > other.number : first < second
        }

        mutating func take(_ path: String, isLate: Bool) -> String? {
            let order = stubs.indices.sorted { precedes(stubs[$0], stubs[$1]) }
            for place in order {
                let stub = stubs[place]
                guard ((stub.mapping.priority ?? 5) > 5) == isLate, Self.matches(stub.mapping, path) else { continue }
                if let times = stub.mapping.response.times, stub.taken >= times { continue }
                if let scenario = stub.mapping.scenario {
                    if let required = scenario.requiredState, required != states[scenario.name, default: "Started"] {
                        continue
                    }
                    if let next = scenario.newState { states[scenario.name] = next }
                }
                stubs[place].taken += 1
                return "\(stub.id) \(stubs[place].taken)"
            }
            return nil
        }

        static func matches(_ mapping: StubMapping, _ path: String) -> Bool {
            switch mapping.request.url {
            case .path(let text): text == path
            case .pathMatching: path.hasPrefix("/a")
            default: true
            }
        }
    }

    private static let paths = ["/a", "/ab", "/b", "/c"]

    private static func mapping(_ random: inout SeededGenerator) -> StubMapping {
        let url: StubRequest.URLCondition =
            switch Int.random(in: 0..<8, using: &random) {
            case 0: .any
            case 1: .pathMatching("/a.*")
            default: .path(paths.randomElement(using: &random) ?? "/a")
            }
        var mapping = StubMapping(StubRequest().url(url), .text("x"))
        mapping.id = "id\(Int.random(in: 0..<40, using: &random))"
        if Int.random(in: 0..<3, using: &random) == 0 { mapping.priority = Int.random(in: 3...7, using: &random) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            let states = ["Started", "two", "three", nil]
            mapping.scenario = StubMapping.Scenario(
                name: ["s", "t"].randomElement(using: &random) ?? "s",
                requiredState: states.randomElement(using: &random) ?? nil,
                newState: states.randomElement(using: &random) ?? nil
            )
        }
        if Int.random(in: 0..<4, using: &random) == 0 { mapping.response.times = Int.random(in: 1...3, using: &random) }
        return mapping
    }

    private static func take(_ state: ServingState, _ path: String, isLate: Bool) -> String? {
        let request = OwnedRequest(method: "GET", url: path)
        guard var lookup = StubLookup(state, request.view) else { return nil }
        let method = Array("GET".utf8)
        let turn = lookup.take(isLate ? .late : .early, method: method.span) { DecodedRequest(request) }
        return turn.map { "\($0.layer.catalog[$0.stub].id) \($0.ordinal)" }
    }

    @Test(arguments: 0..<24) func answersLikeList(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let configuration = MockServer.Configuration()
        func stubs(_ count: Int) throws -> [StubFixture] {
            var known: Set<String> = []
            return try (0..<count).map { _ in try StubFixture(Self.mapping(&random)) }.filter {
                known.insert($0.id).inserted
            }
        }
        var files = try stubs(Int.random(in: 0...20, using: &random))
        var state = ServingState([], stubs: files, configuration: configuration)
        var session = ServedSession(SessionID("s"), number: 1, HTTP1Encoder(configuration))
        var root = Model()
        var inSession = Model()
        var next = 1000
        func reset(_ model: inout Model) {
            model = Model()
            model.stubs = files.enumerated().map { Model.Stub(mapping: $1.mapping, id: $1.id, number: $0) }
        }
        reset(&root)
        /// Applies the change to a model. Numbers of a session are above all others.
        func apply(_ change: StubChange, to model: inout Model, above: Int = 0) {
            switch change {
            case .add(let stubs):
                let last = Dictionary(stubs.map { ($0.id, $0) }) { $1 }
                for stub in stubs where last[stub.id]?.isSame(as: stub) == true {
                    model.stubs.removeAll { $0.id == stub.id }
                    next += 1
                    model.stubs.append(Model.Stub(mapping: stub.mapping, id: stub.id, number: above + next))
                }
            case .replace(let id, let stub):
                guard let number = model.stubs.first(where: { $0.id == id })?.number else { return }
                model.stubs.removeAll { $0.id == id || $0.id == stub.id }
                model.stubs.append(Model.Stub(mapping: stub.mapping, id: stub.id, number: number))
            case .remove(let ids): model.stubs.removeAll { ids.contains($0.id) }
            case .removeAll: model.stubs = []
            case .resetToFiles: break
            }
        }
        func randomChange() throws -> StubChange {
            switch Int.random(in: 0..<20, using: &random) {
            case 0: return .removeAll
            case 1, 2, 3: return .replace("id\(Int.random(in: 0..<40, using: &random))", with: try stubs(1)[0])
            case 4, 5, 6, 7:
                return .remove(
                    (0..<Int.random(in: 1...5, using: &random)).map { _ in
                        "id\(Int.random(in: 0..<40, using: &random))"
                    }
                )
            default: return .add(try stubs(Int.random(in: 1...3, using: &random)))
            }
        }
        for step in 0..<300 {
            switch Int.random(in: 0..<30, using: &random) {
            case 0..<8:
                let change = try randomChange()
                var stack = state.stubs
                stack.apply(change)
                state = ServingState(state, stubs: stack)
                apply(change, to: &root)
            case 8:
                var stack = state.stubs
                stack.apply(.resetToFiles)
                state = ServingState(state, stubs: stack)
                state.resetPlay()
                reset(&root)
            case 9:
                // A reload: added stubs stay, and unchanged stubs keep their counters.
                var seen = Set<String>()
                let former = files
                files = try (former.filter { _ in Bool.random(using: &random) } + stubs(2)).filter {
                    seen.insert($0.id).inserted
                }
                state = ServingState([], stubs: files, after: state, configuration: configuration)
                let old = root.stubs
                root.stubs = files.enumerated().compactMap { number, stub in
                    if old.contains(where: { $0.number >= 1000 && $0.id == stub.id }) { return nil }
                    let same = old.first { $0.number < 1000 && $0.id == stub.id && $0.mapping == stub.mapping }
                    return Model.Stub(mapping: stub.mapping, id: stub.id, number: number, taken: same?.taken ?? 0)
                }
                root.stubs += old.filter { $0.number >= 1000 }
            case 10:
                state.stubPlay.set("s", to: "two")
                root.states["s"] = "two"
            default:
                let path = Self.paths.randomElement(using: &random) ?? "/a"
                let isLate = Int.random(in: 0..<4, using: &random) == 0
                let expected = root.take(path, isLate: isLate)
                #expect(Self.take(state, path, isLate: isLate) == expected, "step \(step)")
            }
            let ids = root.stubs.sorted { root.precedes($0, $1) }.map(\.id)
            try #require(state.stubs.stubsInOrder.map(\.id) == ids, "step \(step)")
            #expect(state.stubs.count == ids.count)
        }
        // A session sees the current stubs of the server, with its own states and counters.
        inSession.stubs = root.stubs.map {
            var stub = $0
            stub.taken = 0
            return stub
        }
        for step in 0..<200 {
            if Int.random(in: 0..<3, using: &random) == 0 {
                let change = try randomChange()
                session = session.applying(change, over: state.stubs)
                apply(change, to: &inSession, above: 1 << 20)
            } else {
                let path = Self.paths.randomElement(using: &random) ?? "/a"
                let isLate = Int.random(in: 0..<4, using: &random) == 0
                let expected = inSession.take(path, isLate: isLate)
                #expect(Self.take(state.seen(in: session), path, isLate: isLate) == expected, "session step \(step)")
                // The server's own states and counters are not those of the session.
                let own = root.take(path, isLate: isLate)
                #expect(Self.take(state, path, isLate: isLate) == own, "session step \(step)")
            }
            let ids = inSession.stubs.sorted { inSession.precedes($0, $1) }.map(\.id)
            try #require(state.seen(in: session).stubs.stubsInOrder.map(\.id) == ids, "session step \(step)")
        }
    }

    @Test func manyAddedStubsMakeFewLayers() throws {
        var stack = StubStack([], HTTP1Encoder(MockServer.Configuration()))
        for number in 0..<2000 {
            stack.apply(.add([try StubFixture(StubMapping(.get("/\(number)"), .text("x")).id("\(number)"))]))
            #expect(stack.layers.count <= 7)
        }
        #expect(stack.count == 2000)
        for number in 0..<1999 { stack.apply(.remove(["\(number)"])) }
        #expect(stack.stubsInOrder.map(\.id) == ["1999"])
        #expect(stack.layers.count == 1)
        stack.apply(.remove(["1999"]))
        #expect(stack.isEmpty)
    }
}
