// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching

/// The fixtures as they are served: one immutable value for all loops, replaced as a whole by a reload.
final class ServingState: Sendable {
    /// Counts the reloads; journal records name the fixtures of their generation.
    let generation: Int
    /// What matches a request.
    let index: FixtureIndex
    /// What is played, by the fixture's place in the index.
    let plans: [ResponsePlan]
    /// The bytes of all responses that are one block after which the connection stays open: one after the other, so
    /// that a hit among 100,000 fixtures touches two places in memory and not a chain of objects.
    let blocks: [UInt8]
    /// Where a fixture's block is, by its place in the index.
    private let places: [BlockPlace]
    /// The scripts of the other fixtures.
    private let scripts: [Int: WireScript]
    private let serializer: PlanSerializer
    /// The client that the blocks and scripts are made for.
    private let common: PlanSerializer.Client

    /// A larger block is not worth a copy: sending it costs more than finding it.
    private static let largestBlock = 16 << 10

    private struct BlockPlace {
        var start: Int
        /// 0 where the response is not in a block.
        var count: UInt32
        var status: UInt16
    }

    init(_ fixtures: [Fixture], generation: Int, configuration: MockServer.Configuration) {
        self.generation = generation
        let fixtures = fixtures.map { $0.served(isSecure: configuration.tls != nil) }
        let serializer = PlanSerializer(pace: configuration.pace, latency: configuration.latency)
        var common = PlanSerializer.Client()
        if configuration.isCrossOriginAllowed { common.crossOrigin = CrossOrigin.withoutOrigin }
        var blocks: [UInt8] = []
        var places: [BlockPlace] = []
        var scripts: [Int: WireScript] = [:]
        places.reserveCapacity(fixtures.count)
        for (number, fixture) in fixtures.enumerated() {
            let script = serializer.script(for: fixture.plan, to: common)
            var place = BlockPlace(start: blocks.count, count: 0, status: UInt16(fixture.plan.head?.status ?? 0))
            if script.end == .keepAlive, let block = script.block, block.count <= Self.largestBlock {
                blocks += block
                place.count = UInt32(block.count)
            } else {
                scripts[number] = script
            }
            places.append(place)
        }
        index = FixtureIndex(fixtures, options: configuration.matching)
        plans = fixtures.map(\.plan)
        self.blocks = blocks
        self.places = places
        self.scripts = scripts
        self.serializer = serializer
        self.common = common
    }

    /// Where the fixture's response lies in ``blocks``; `nil` if it is not one block.
    func block(of fixture: Int) -> Range<Int>? {
        let place = places[fixture]
        return place.count > 0 ? place.start..<(place.start + Int(place.count)) : nil
    }

    /// The fixture's status; 0 for a failure to answer.
    func status(of fixture: Int) -> Int { Int(places[fixture].status) }

    /// What to play to `client`, by default the common one.
    func script(of fixture: Int, to client: PlanSerializer.Client? = nil) -> WireScript {
        if client == nil, let script = scripts[fixture] { return script }
        return serializer.script(for: plans[fixture], to: client ?? common)
    }
}
