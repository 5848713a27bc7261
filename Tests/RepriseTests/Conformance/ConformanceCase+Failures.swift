// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseIO
import RepriseTestSupport
import Testing

extension ConformanceCase {
    /// Failures before a server receives the request.
    static let failures: [ConformanceCase] = [
        ConformanceCase("reports a refused connection") { subject in
            // A separate address, so that no other test receives the same port in the meantime.
            let host = OwnLoopback.refusing
            let port = try ListeningSocket.bind(host: host, port: 0)[0].port
            let error = await failure(of: subject, "http", "\(host):\(port)")
            #expect(error?.code == .connectionRefused)
            #expect(error?.isConnectivity == true)
        },
        ConformanceCase("reports a host name without an address") { subject in
            // No such name can exist (RFC 6761 section 6.4).
            let error = await failure(of: subject, "http", "nowhere.invalid")
            #expect(error?.code == .nameNotResolved)
            #expect(error?.message.contains("nowhere.invalid") == true)
        },
        ConformanceCase("rejects a request that cannot be sent") { subject in
            for (scheme, authority) in [("ftp", "127.0.0.1"), ("http", ""), ("http", "a b")] {
                #expect(await failure(of: subject, scheme, authority)?.code == .invalidRequest)
            }
        },
    ]

    /// Checks of the server's certificate before a request is sent.
    static let security: [ConformanceCase] = [
        ConformanceCase("connects to a server with a configured certificate authority") { subject in
            let authority = try CertificateAuthority()
            let response = try await secured(subject, by: authority.identity(for: ["127.0.0.1"]), trusting: authority)
            #expect(try await response.text() == "ok")
        },
        ConformanceCase("rejects a self-signed certificate") { subject in
            try await expectRefusal(subject, of: .selfSigned(for: ["127.0.0.1"]), trusting: CertificateAuthority())
        },
        ConformanceCase("rejects a certificate of an unknown authority") { subject in
            let identity = try CertificateAuthority().identity(for: ["127.0.0.1"])
            try await expectRefusal(subject, of: identity, trusting: CertificateAuthority())
        },
        ConformanceCase("rejects an expired certificate") { subject in
            let authority = try CertificateAuthority()
            let past = CertificateValidity(notBefore: 1_600_000_000, notAfter: 1_600_086_400)
            let identity = try authority.identity(for: ["127.0.0.1"], validity: past)
            try await expectRefusal(subject, of: identity, trusting: authority)
        },
        ConformanceCase("rejects a certificate for another host") { subject in
            let authority = try CertificateAuthority()
            let identity = try authority.identity(for: ["localhost", "127.0.0.2"])
            try await expectRefusal(subject, of: identity, trusting: authority)
        },
        ConformanceCase("reports a server that doesn't use TLS") { subject in
            let server = try await subject.server()
            // Long enough that the case doesn't depend on it.
            let options = RequestOptions(timeout: .seconds(180), connectTimeout: .seconds(180))
            async let response = subject.transport.send(server.request(scheme: "https"), body: nil, options: options)
            let connection = try await server.accept()
            try await connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            do {
                _ = try await response
                Issue.record("expected an error, because the server doesn't use TLS")
            } catch {
                #expect((error as? TransportError)?.code == .tls)
            }
        },
    ]

    private static func secured(
        _ subject: ConformanceSubject,
        by identity: TLSIdentity,
        trusting authority: CertificateAuthority
    ) async throws -> Response {
        let context = try TLSContext(server: TLSServerConfiguration(identity))
        let server = try await ScriptedServer.start(tls: context) { connection in
            _ = try await connection.readRequest()
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let transport = subject.kind.make(trusting: authority) ?? subject.transport
        return try await transport.send(subject.keep(server).request(scheme: "https"))
    }

    private static func expectRefusal(
        _ subject: ConformanceSubject,
        of identity: TLSIdentity,
        trusting authority: CertificateAuthority
    ) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await secured(subject, by: identity, trusting: authority)
        }
        #expect(error?.code == .tls)
        #expect(error?.isConnectivity == false)
    }

    private static func failure(
        of subject: ConformanceSubject,
        _ scheme: String,
        _ authority: String
    ) async -> TransportError? {
        await #expect(throws: TransportError.self) {
            let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
            _ = try await subject.transport.send(request)
        }
    }

    private enum OwnLoopback {
        static var refusing: String {
            #if os(Linux)
                "127.0.0.91"
            #else
                "127.0.0.1"
            #endif
        }
    }
}
