// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching

/// The fixtures in the form in which they are served: one immutable value for all loops, which a reload replaces as a
/// whole.
final class ServingState: Sendable {
    /// The number of reloads so far. Journal records refer to the fixtures of their generation.
    let generation: Int
    /// The index that matches requests.
    let index: FixtureIndex
    /// The positions of the sequences.
    let play: PlayState
    /// The plans to play, by the fixture's position in the index.
    let plans: [ResponsePlan]
    /// The bytes of all responses that can be sent as one block and keep the connection open, one after the other. A
    /// hit among 100,000 fixtures then touches two places in memory instead of a chain of objects.
    let blocks: [UInt8]
    /// The location of each fixture's block, by the fixture's position in the index.
    private let places: [BlockPlace]
    /// The scripts of the other fixtures.
    private let scripts: [Int: WireScript]
    private let serializer: PlanSerializer
    /// The client that the blocks and scripts are written for.
    private let common: PlanSerializer.Client

    /// The maximum number of bytes of a response that is copied into a block. For a larger response, the time to find
    /// it matters little compared with the time to send it.
    private static let largestBlock = 16 << 10

    private struct BlockPlace {
        var start: Int
        /// 0 if the response is not in a block.
        var count: UInt32
        var status: UInt16
        /// Whether the response depends on the request's conditions.
        var evaluatesConditions: Bool
    }

    /// - Parameter previous: The previous fixtures. Unchanged sequences keep their positions.
    init(_ fixtures: [Fixture], after previous: ServingState? = nil, configuration: MockServer.Configuration) {
        generation = previous.map { $0.generation + 1 } ?? 0
        let rules = MatchingRules(configuration.matching, afterLast: configuration.afterLast)
        // With several hosts to tell apart, a path would lead to the host that redirects.
        let keepsLocations = configuration.keepsLocations || rules.options.requiresHost
        let hosts = keepsLocations ? nil : RecordedHosts(fixtures)
        let fixtures = fixtures.map { $0.served(isSecure: configuration.tls != nil, hosts: hosts) }
        let serializer = PlanSerializer(pace: configuration.pace, latency: configuration.latency)
        var common = PlanSerializer.Client()
        if configuration.isCrossOriginAllowed { common.crossOrigin = CrossOrigin.withoutOrigin }
        var blocks: [UInt8] = []
        var places: [BlockPlace] = []
        var scripts: [Int: WireScript] = [:]
        places.reserveCapacity(fixtures.count)
        for (number, fixture) in fixtures.enumerated() {
            let script = serializer.script(for: fixture.plan, to: common)
            var place = BlockPlace(
                start: blocks.count,
                count: 0,
                status: UInt16(fixture.plan.head?.status ?? 0),
                evaluatesConditions: fixture.plan.evaluatesConditions
            )
            if script.end == .keepAlive, let block = script.block, block.count <= Self.largestBlock {
                blocks += block
                place.count = UInt32(block.count)
            } else {
                scripts[number] = script
            }
            places.append(place)
        }
        index = FixtureIndex(fixtures, options: rules.options)
        let plans = fixtures.map(\.plan)
        self.plans = plans
        if let previous { play = previous.play(continuedIn: index, plans) } else { play = PlayState(index) }
        self.blocks = blocks
        self.places = places
        self.scripts = scripts
        self.serializer = serializer
        self.common = common
    }

    /// Returns the play state for another index. Sequences that are unchanged keep their positions from this one.
    ///
    /// The hashes for the comparison are computed during the reload, also for the previous fixtures, so that starting a
    /// server does not have to compute any.
    private func play(continuedIn index: FixtureIndex, _ plans: [ResponsePlan]) -> PlayState {
        PlayState(
            index,
            index.sequenceContents { $1.combine(plans[$0]) },
            continuing: play,
            self.index.sequenceContents { $1.combine(self.plans[$0]) }
        )
    }

    /// The range of the fixture's response in ``blocks``; `nil` if it is not in a block.
    func block(of fixture: Int) -> Range<Int>? {
        let place = places[fixture]
        return place.count > 0 ? place.start..<(place.start + Int(place.count)) : nil
    }

    /// Whether the fixture's response depends on the request's conditions.
    func evaluatesConditions(_ fixture: Int) -> Bool { places[fixture].evaluatesConditions }

    /// The fixture's status; 0 for a failure without a response.
    func status(of fixture: Int) -> Int { Int(places[fixture].status) }

    /// Returns the script to play to `client`, which is the common one by default.
    func script(of fixture: Int, to client: PlanSerializer.Client? = nil) -> WireScript {
        if client == nil, let script = scripts[fixture] { return script }
        return serializer.script(for: plans[fixture], to: client ?? common)
    }
}
