// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures

/// The fixtures as they are served: one immutable value for all loops, replaced as a whole by a reload.
final class ServingState: Sendable {
    /// Counts the reloads; journal records name the fixtures of their generation.
    let generation: Int
    /// What matches a request.
    let index: FixtureIndex
    /// What to play, by the fixture's place in the index.
    let responses: [PreparedResponse]

    init(_ fixtures: [Fixture], generation: Int, configuration: MockServer.Configuration) {
        self.generation = generation
        index = FixtureIndex(fixtures, options: configuration.matching)
        let serializer = PlanSerializer(pace: configuration.pace, latency: configuration.latency)
        responses = fixtures.map { PreparedResponse($0.plan, serializer: serializer) }
    }
}

/// A fixture's response, written in advance for the common client.
final class PreparedResponse: Sendable {
    let plan: ResponsePlan
    /// The status; 0 for a failure to answer.
    let status: Int
    /// The script for ``PlanSerializer/Client/common``.
    let script: WireScript
    /// All bytes of the script, where it is one block and the connection stays open: the hot path. Else empty.
    let block: [UInt8]

    init(_ plan: ResponsePlan, serializer: PlanSerializer) {
        self.plan = plan
        script = serializer.script(for: plan)
        status = plan.head?.status ?? 0
        block = script.end == .keepAlive ? script.block ?? [] : []
    }
}

extension ResponsePlan {
    /// The head; `nil` for a failure to answer.
    var head: ResponseHead? {
        for case .head(let head) in steps { return head }
        return nil
    }
}
