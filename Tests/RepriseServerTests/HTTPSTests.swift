// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseIO
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// The server over TLS.
@Suite struct HTTPSTests {
    private let request = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private func connect(to server: MockServer, as name: String = "localhost") async throws -> RawClient {
        var configuration = TLSClientConfiguration()
        configuration.trust = .certificates(try #require(server.certificateAuthority))
        let context = try TLSContext(client: configuration)
        return try await RawClient.connect(port: server.port, protection: .init(context, serverName: name))
    }

    @Test(arguments: ["localhost", "127.0.0.1", "::1", "mock"])
    func certificateIsValidForConfiguredNames(name: String) async throws {
        let fixture = Fixture.recorded("https://api.example.com/a", response: .text("hello"))
        try await withServer([fixture], configure: { $0.tls = .localAuthority(names: ["mock"]) }) { server in
            #expect(server.url.scheme == "https")
            let client = try await connect(to: server, as: name)
            try await client.send(request + request)
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
            #expect(try await client.read(count: answer.utf8.count * 2).text == answer + answer)
            #expect(await client.agreement.applicationProtocol == "http/1.1")
        }
    }

    @Test func certificateIsInvalidForOtherNames() async throws {
        try await withServer([], configure: { $0.tls = .localAuthority() }) { server in
            _ = await #expect(throws: TLSError.self) { try await connect(to: server, as: "example.com") }
        }
    }

    @Test(arguments: [Ending.truncated, .reset])
    func endsStreamAsRecorded(ending: Ending) async throws {
        let fixture = Fixture.recorded("https://api.example.com/a", response: .stream([(0, "a")], ending: ending))
        try await withServer([fixture], configure: { $0.tls = .localAuthority() }) { server in
            let client = try await connect(to: server)
            try await client.send(request)
            #expect(try await client.readToEnd().text.hasSuffix("\r\n\r\n1\r\na\r\n"))
            #expect(client.ending == (ending == .reset ? .reset : .finished))
        }
    }

    @Test(arguments: ["GET", "DELETE", "OPTIONS", "CONNECT", "brew"])
    func plainHTTPIsRefusedWithExplanation(method: String) async throws {
        func configure(_ configuration: inout MockServer.Configuration) {
            configuration.tls = .localAuthority()
            // Many tests run at once, so the client may send long after it has connected.
            configuration.timeouts.head = MockServer.Timeouts.seconds(600)
        }
        try await withServer([], configure: configure) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request.replacing("GET", with: method))
            let text = try await client.readToEnd().text
            #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(text.contains("\r\nConnection: close\r\n"))
            #expect(text.contains("use https:// in the URL"))
            #expect(client.ending == .finished)
            #expect(await server.journal.entries.map(\.status) == [400])
            let good = try await connect(to: server)
            try await good.send(request)
            #expect(try await good.read(until: "\r\n").text == "HTTP/1.1 404 Not Found\r\n")
        }
    }

    @Test func reusesAuthorityInFolder() async throws {
        try await withTemporaryFolder { folder in
            let place = folder + "/new/ca"
            var authorities: [[UInt8]?] = []
            for _ in 0..<2 {
                try await withServer([], configure: { $0.tls = .localAuthority(folder: place) }) { server in
                    _ = try await connect(to: server)
                    authorities.append(server.certificateAuthority)
                }
            }
            #expect(authorities[0] == authorities[1])
            #expect(try [UInt8](Data(contentsOf: URL(filePath: place + "/ca.pem"))) == authorities[0])
            let attributes = try FileManager.default.attributesOfItem(atPath: place + "/ca-key.pem")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func servesCertificateFromFiles() async throws {
        try await withTemporaryFolder { folder in
            let authority = try CertificateAuthority()
            let identity = try authority.identity(for: ["localhost"])
            let (certificate, key) = (folder + "/cert.pem", folder + "/key.pem")
            try Data(identity.certificateChain).write(to: URL(filePath: certificate))
            try Data(identity.privateKey).write(to: URL(filePath: key))
            let tls = MockServer.TLS.files(certificate: certificate, key: key)
            try await withServer([], configure: { $0.tls = tls }) { server in
                #expect(server.certificateAuthority == nil)
                var configuration = TLSClientConfiguration()
                configuration.trust = .certificates(authority.certificate)
                let context = try TLSContext(client: configuration)
                _ = try await RawClient.connect(
                    port: server.port,
                    protection: .init(context, serverName: "localhost")
                )
            }
        }
    }

    @Test(arguments: [
        ("cert.pem", "other-key.pem", "the private key does not match the first certificate"),
        ("cert.pem", "none.pem", "the key cannot be read: open"),
        ("none.pem", "key.pem", "the certificate cannot be read: open"),
        ("broken.pem", "key.pem", "expected PEM with at least one -----BEGIN CERTIFICATE-----"),
        ("cert.pem", "broken.pem", "the private key cannot be read as PEM"),
    ])
    func reportsInvalidCertificateOrKey(certificate: String, key: String, reason: String) async throws {
        try await withTemporaryFolder { folder in
            let identity = try TLSIdentity.selfSigned(for: ["localhost"])
            let files = [
                "cert.pem": identity.certificateChain,
                "key.pem": identity.privateKey,
                "other-key.pem": try TLSIdentity.selfSigned(for: ["localhost"]).privateKey,
                "broken.pem": Array("not PEM".utf8),
            ]
            for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)")) }
            var configuration = MockServer.Configuration()
            configuration.tls = .files(certificate: "\(folder)/\(certificate)", key: "\(folder)/\(key)")
            let error = await #expect(throws: StartError.self) {
                try await MockServer.start(fixtures: [], configuration: configuration)
            }
            #expect(error?.code == .tls)
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
    }

    /// It names this machine, is valid for one year, and signs no other authorities (RFC 5280 section 4.2.1.9).
    @Test func authorityInFolderIsLimited() async throws {
        try await withTemporaryFolder { folder in
            let authority = try LocalAuthority.create(in: "\(folder)/ca")
            #expect(authority.summary.hasPrefix("CN=mockserver on "))
            let days = [364, 365, 366].map { Date.now.addingTimeInterval($0 * 86_400).formatted(.iso8601).prefix(10) }
            #expect(days.contains { authority.summary.contains("valid until \($0)") }, "\(authority.summary)")
            let lines = String(decoding: authority.certificate, as: UTF8.self).split(separator: "\n")
            let der = try #require(Data(base64Encoded: lines.filter { !$0.hasPrefix("-") }.joined()))
            #expect(der.firstRange(of: [0x30, 6, 1, 1, 0xFF, 2, 1, 0]) != nil)
        }
    }

    @Test(arguments: ["ca.pem", "ca-key.pem"])
    func rejectsAuthorityWithMissingFile(missing: String) async throws {
        try await withTemporaryFolder { folder in
            var configuration = MockServer.Configuration()
            configuration.tls = .localAuthority(folder: folder)
            await (try MockServer.start(fixtures: [], configuration: configuration)).stop(grace: .zero)
            try FileManager.default.removeItem(atPath: "\(folder)/\(missing)")
            let error = await #expect(throws: StartError.self) {
                try await MockServer.start(fixtures: [], configuration: configuration)
            }
            #expect(error?.description.contains("restore \(folder)/\(missing)") == true)
        }
    }
}
