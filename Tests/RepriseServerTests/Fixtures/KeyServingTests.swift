// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseServer

/// The key of an authority is never sent, whatever folder it is in, and by whatever name.
@Suite struct KeyServingTests {
    private static let sign = "PRIVATE KEY"

    private func get(_ path: String, _ server: MockServer) async throws -> String {
        let client = try await RawClient.connect(port: server.port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return try await client.readToEnd().text
    }

    /// A folder in which a former server made its authority, with other names for the key.
    private func folder(_ name: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder(["\(name)/public.txt": "public"])
        let place = "\(folder.path)/\(name)"
        _ = try LocalAuthority.loadOrCreate(in: place)
        let key = "\(place)/\(LocalAuthority.keyName)"
        try FileManager.default.createSymbolicLink(atPath: "\(place)/link.txt", withDestinationPath: key)
        try FileManager.default.linkItem(atPath: key, toPath: "\(place)/second.txt")
        try FileManager.default.copyItem(atPath: key, toPath: "\(place)/CA-Key.PEM")
        return folder
    }

    @Test func staticFolderDoesNotServeKey() async throws {
        let folder = try folder("site")
        var configuration = MockServer.Configuration()
        configuration.staticFolder = "\(folder.path)/site"
        let server = try await MockServer.start(fixtures: [], configuration: configuration)
        for name in ["ca-key.pem", "link.txt", "second.txt", "CA-Key.PEM"] {
            let answer = try await get("/\(name)", server)
            #expect(answer.hasPrefix("HTTP/1.1 500 ") && answer.contains("found a private key"), "\(name)")
            #expect(!answer.contains("BEGIN"))
        }
        #expect(try await get("/public.txt", server).hasSuffix("public"))
        #expect(try await get("/ca.pem", server).contains("BEGIN CERTIFICATE"))
        await server.stop(grace: .zero)
    }

    @Test func stubsAndAdminAPIDoNotServeKey() async throws {
        let folder = try folder("__files/ca")
        let server = try await AdminTestServer.start(folder)
        for name in ["ca-key.pem", "second.txt", "CA-Key.PEM"] {
            let answer = try await server.admin("GET", "/files/ca/\(name)")
            #expect(answer.status == 403 && !answer.body.contains("BEGIN"), "\(name) \(answer)")
        }
        #expect(try await server.admin("GET", "/files/ca/public.txt").body == "public")
        for name in ["ca-key.pem", "link.txt", "second.txt"] {
            let stub = #"{"request": {"urlPath": "/\#(name)"}, "response": {"bodyFileName": "ca/\#(name)"}}"#
            _ = try await server.admin("POST", "/mappings", stub)
            #expect(try await !server.send("GET", "/\(name)").body.contains("BEGIN"), "\(name)")
        }
        await server.stop()
    }

    @Test func routeFileDoesNotServeKey() async throws {
        let (fixtures, other) = (try TemporaryFolder(), try folder("ca"))
        let key = "\(other.path)/ca/\(LocalAuthority.keyName)"
        try FileManager.default.createSymbolicLink(
            atPath: "\(fixtures.path)/key.get.txt",
            withDestinationPath: key
        )
        await #expect { try await MockServer.start(fixtures: URL(fileURLWithPath: fixtures.path)) } throws: {
            "\($0)".contains("found a private key")
        }
    }

    @Test func othersKeyIsRefused() throws {
        let folder = try TemporaryFolder()
        let place = "\(folder.path)/ca"
        let key = "\(place)/\(LocalAuthority.keyName)"
        _ = try LocalAuthority.loadOrCreate(in: place)
        for mode in [0o640, 0o604] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
            #expect { try LocalAuthority.load(in: place) } throws: { "\($0)".contains("readable by you only") }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        #expect(try LocalAuthority.load(in: place) != nil)
        // Only root can give a file to another user.
        guard geteuid() == 0 else { return }
        try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: key)
        #expect { try LocalAuthority.load(in: place) } throws: { "\($0)".contains("belong to you") }
    }
}
