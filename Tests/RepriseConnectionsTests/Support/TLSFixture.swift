import RepriseConnections
// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport

/// A TLS server, and a client that trusts the authority that signed its certificate.
struct TLSFixture {
    var server: TLSContext
    var client = TLSClientConfiguration()

    init(names: [String] = ["localhost"], validity: CertificateValidity = .days(1)) throws {
        let authority = try CertificateAuthority()
        let identity = try authority.identity(for: names, validity: validity)
        server = try TLSContext(server: TLSServerConfiguration(identity))
        client.trust = .certificates(authority.certificate)
    }
}

extension OutgoingRequest {
    /// A request to `https://localhost`, the name in the certificate of a ``TLSFixture``.
    static func get(_ target: String = "/", from server: ScriptedServer, isSecure: Bool) -> OutgoingRequest {
        let origin = Origin(isSecure: isSecure, host: "localhost", port: UInt16(server.port))
        return OutgoingRequest("GET", target, at: origin)
    }
}
