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
    /// Where the sequences are.
    let play: PlayState
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

    /// - Parameter former: the fixtures that these follow; sequences that are in both go on where they are.
    init(_ fixtures: [Fixture], after former: ServingState? = nil, configuration: MockServer.Configuration) {
        generation = former.map { $0.generation + 1 } ?? 0
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
        let rules = MatchingRules(configuration.matching, afterLast: configuration.afterLast)
        index = FixtureIndex(fixtures, options: rules.options)
        let plans = fixtures.map(\.plan)
        self.plans = plans
        if let former { play = former.play(continuedIn: index, plans) } else { play = PlayState(index) }
        self.blocks = blocks
        self.places = places
        self.scripts = scripts
        self.serializer = serializer
        self.common = common
    }

    /// The state of another index; sequences that are unchanged continue where they are in this one.
    ///
    /// Sequences are compared here, not when first served: a reload has time, a start does not.
    private func play(continuedIn index: FixtureIndex, _ plans: [ResponsePlan]) -> PlayState {
        PlayState(
            index,
            index.sequenceContents { $1.combine(plans[$0]) },
            continuing: play,
            self.index.sequenceContents { $1.combine(self.plans[$0]) }
        )
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
