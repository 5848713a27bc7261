// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import Testing

@testable import RepriseConnections

@Suite struct ConnectRaceTests {
    private static let refused = SystemError(code: 111, call: "connect")

    @Test(
        arguments: [
            (["::1", "::2", "::3", "127.0.0.1"], ["::1", "127.0.0.1", "::2", "::3"]),
            (["127.0.0.1", "::1", "127.0.0.2"], ["127.0.0.1", "::1", "127.0.0.2"]),
            (["127.0.0.1", "127.0.0.2"], ["127.0.0.1", "127.0.0.2"]), ([], []),
        ] as [([String], [String])]
    )
    func alternatesAddressFamilies(addresses: [String], order: [String]) {
        #expect(race(addresses).addresses.map(\.host) == order)
    }

    @Test func isLostWhenAllAttemptsFail() {
        var race = race(["::1", "127.0.0.1"])
        #expect(!race.isLost)
        #expect(race.next()?.host == "::1")
        #expect(race.hasMore)
        race.attemptFailed(Self.refused)
        #expect(!race.isLost)
        #expect(race.next()?.host == "127.0.0.1")
        #expect(!race.hasMore)
        #expect(race.next() == nil)
        #expect(!race.isLost)
        race.attemptFailed(Self.refused)
        #expect(race.isLost)
        #expect(race.failures.count == 2)
    }

    @Test func isLostWithoutAddresses() {
        #expect(race([]).isLost)
    }

    private func race(_ addresses: [String]) -> ConnectRace {
        ConnectRace(addresses.compactMap { SocketAddress.literal($0, port: 80) })
    }
}
