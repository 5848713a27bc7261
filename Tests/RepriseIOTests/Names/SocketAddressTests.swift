// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseIO

@Suite struct SocketAddressTests {
    private func isAnswered(_ host: String, _ port: Int) throws -> Bool {
        try #require(SocketAddress.resolve(host: host, port: port, call: "test").first).isAnswered()
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("0.0.0.0", "127.0.0.1"), ("127.0.0.1", "0.0.0.0"),
        ("127.0.0.1", "::"),
        ("::1", "::"),
    ])
    func isAnsweredWhereSocketListens(listening: String, queried: String) throws {
        let socket = try ListeningSocket.bind(host: listening, port: 0)[0]
        #expect(try isAnswered(queried, socket.port))
        withExtendedLifetime(socket) {}
    }

    @Test func isNotAnsweredOnFreePort() throws {
        let host = loopback(81)
        let port = try ListeningSocket.bind(host: host, port: 0)[0].port
        #expect(try !isAnswered(host, port))
    }
}
