// SPDX-License-Identifier: Apache-2.0

import RepriseConnections
import Testing

@testable import RepriseServer

@Suite struct TunnelOutcomesTests {
    private func origin(_ authority: String) throws -> Origin {
        try #require(Origin(scheme: "https", authority: authority))
    }

    @Test func abandonedHandshakeIsNoFailureIfAnotherSucceeded() throws {
        var first = TunnelOutcomes()
        first.failed(try origin("a.test"), because: "untrusted", isRefusal: true)
        first.failed(try origin("b.test"), because: "aborted", isRefusal: false)
        var second = TunnelOutcomes()
        second.opened(try origin("b.test"))
        second.opened(try origin("a.test"))
        second.failed(try origin("a.test"), because: "aborted", isRefusal: false)
        second.failed(try origin("b.test:8443"), because: "aborted", isRefusal: false)
        first.merge(second)
        #expect(first.unserved.map(\.target) == ["a.test:443", "b.test:8443"])
        #expect(first.unserved.map(\.reason) == ["untrusted", "aborted"])
    }

    @Test func keepsSomeOfManyFailures() throws {
        var outcomes = TunnelOutcomes()
        for number in 0..<100 { outcomes.failed(try origin("h\(number).test"), because: "first", isRefusal: false) }
        outcomes.failed(try origin("h0.test"), because: "last", isRefusal: false)
        #expect(outcomes.unserved.count == 64)
        #expect(outcomes.unserved.first?.reason == "last")
    }
}
