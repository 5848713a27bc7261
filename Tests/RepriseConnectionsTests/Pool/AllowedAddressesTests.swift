// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

@testable import RepriseConnections

@Suite struct AllowedAddressesTests {
    @Test(arguments: [
        "127.0.0.1", "127.255.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "::1", "fc00::1",
        "fdff::1",
        "::ffff:10.0.0.1",
    ])
    func loopbackAndPrivateAddressesAreLocal(address: String) throws {
        let address = try #require(SocketAddress.literal(address, port: 1))
        #expect(AllowedAddresses.local(orOfHosts: []).contains(address, of: "a"))
    }

    @Test(arguments: [
        "192.0.2.1", "172.32.0.1", "172.15.0.1", "192.169.0.1", "11.0.0.1", "0.0.0.0", "2001:db8::1", "::",
    ])
    func otherAddressesAreAllowedByTheNameOfTheHost(address: String) throws {
        let address = try #require(SocketAddress.literal(address, port: 1))
        #expect(!AllowedAddresses.local(orOfHosts: ["b"]).contains(address, of: "a"))
        #expect(AllowedAddresses.local(orOfHosts: ["b"]).contains(address, of: "B"))
        #expect(AllowedAddresses.notLinkLocal.contains(address, of: "a"))
    }

    @Test(arguments: ["169.254.169.254", "fe80::1", "febf::1", "::ffff:169.254.1.1"])
    func linkLocalAddressesAreRefused(address: String) throws {
        let address = try #require(SocketAddress.literal(address, port: 1))
        #expect(!AllowedAddresses.local(orOfHosts: ["a"]).contains(address, of: "a"))
        #expect(!AllowedAddresses.notLinkLocal.contains(address, of: "a"))
        #expect(AllowedAddresses.all.contains(address, of: "a"))
    }

    @Test func destinationNeedsNoPermission() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        var configuration = ConnectionPool.Configuration()
        configuration.allowedAddresses = .local(orOfHosts: [])
        configuration.destinations["a.test"] = .init(host: "0.0.0.0", port: nil)
        let pool = ConnectionPool(configuration)
        for (host, isAllowed) in [("0.0.0.0", false), ("a.test", true)] {
            let origin = Origin(isSecure: false, host: host, port: UInt16(server.port))
            let response = try? await pool.send(OutgoingRequest("GET", "/", at: origin))
            #expect((response != nil) == isAllowed)
        }
    }

    @Test func nameIsCheckedByItsAddresses() async throws {
        var configuration = ConnectionPool.Configuration()
        configuration.addresses = ["hooks.example": ["192.0.2.1", "2001:db8::1"]]
        configuration.allowedAddresses = .local(orOfHosts: [])
        let pool = ConnectionPool(configuration)
        let origin = Origin(isSecure: false, host: "hooks.example", port: 80)
        let error = try await #require(throws: ConnectionError.self) {
            try await pool.send(OutgoingRequest("GET", "/", at: origin))
        }
        #expect(error.isAddressRefused)
        #expect(
            error.message
                == "expected hooks.example to have a loopback or private address, found 192.0.2.1, 2001:db8::1"
        )
        await pool.shutDown()
    }

    @Test func ownAddressIsRefusedAsSuch() async throws {
        var configuration = ConnectionPool.Configuration()
        configuration.addresses = ["a.test": ["169.254.0.1", "127.0.0.1"]]
        configuration.allowedAddresses = .notLinkLocal
        configuration.isOwn = { _ in true }
        let pool = ConnectionPool(configuration)
        let error = try await #require(throws: ConnectionError.self) {
            try await pool.send(OutgoingRequest("GET", "/", at: Origin(isSecure: false, host: "a.test", port: 80)))
        }
        #expect(error.message == "expected a.test to have an address of another server, found 127.0.0.1")
        await pool.shutDown()
    }
}
