// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseFixtures

@Suite struct ResponsePlanTimingTests {
    private static let head = ResponsePlan.Step.head(ResponseHead(status: 200, reason: "OK", headers: []))
    private let paced = ResponsePlan(
        steps: [
            .wait(.milliseconds(100)), head, .wait(.milliseconds(40)), .bytes(.bytes([1])), .wait(.milliseconds(20)),
            .fault(.stall),
        ],
        framing: .chunked
    )

    @Test func leavesWaitsOutAtOnce() {
        let instant = paced.retimed(latency: 0, pace: 0)
        #expect(instant.steps == [Self.head, .bytes(.bytes([1])), .fault(.stall)])
        #expect(instant.framing == .chunked)
    }

    @Test func scalesLatencyAndPaceApart() {
        let scaled = paced.retimed(latency: 1, pace: 0.5)
        #expect(
            scaled.steps == [
                .wait(.milliseconds(100)), Self.head, .wait(.milliseconds(20)), .bytes(.bytes([1])),
                .wait(.milliseconds(10)), .fault(.stall),
            ]
        )
        #expect(paced.retimed(latency: 1, pace: 1) == paced)
        #expect(paced.retimed(latency: .nan, pace: -1) == paced.retimed(latency: 0, pace: 0))
    }

    @Test func isImmediateOnlyWithoutWaitsFaultsAndFiles() {
        let bytes = ResponsePlan.Step.bytes(.bytes([1]))
        let file = ResponsePlan.Step.bytes(.file(FileSource(path: "/f", size: 1)))
        #expect(ResponsePlan(steps: [Self.head, bytes, bytes, .trailers([]), .end], framing: .chunked).isImmediate)
        #expect(!ResponsePlan(steps: [Self.head, file, .end], framing: .contentLength).isImmediate)
        #expect(!ResponsePlan(steps: [Self.head, bytes, .fault(.reset)], framing: .chunked).isImmediate)
        #expect(!paced.isImmediate)
        #expect(!paced.retimed(latency: 0, pace: 0).isImmediate)
    }
}
