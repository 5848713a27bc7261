// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseConnections
import RepriseIO
import RepriseServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The options of the commands that talk to a running server.
struct ServerArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("The running server, such as http://127.0.0.1:8080, which is the default.", valueName: "url")
    )
    var server: String?

    @OptionGroup var access: AccessArguments

    func client() throws -> AdminCaller {
        try access.client(server ?? EnvironmentVariable(of: "--server").text() ?? "http://127.0.0.1:8080")
    }
}

/// The options for access to a server's admin API.
struct AccessArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("The server's token. Set it as MOCKSERVER_ADMIN_TOKEN.", valueName: "token")
    )
    var adminToken: String?

    @Option(help: ArgumentHelp("For an https server, trust only the certificates in this PEM file.", valueName: "file"))
    var tlsCa: String?

    @Flag(help: "Don't verify the certificate of an https server.")
    var insecure = false

    func client(_ url: String) throws -> AdminCaller {
        guard let address = AdminCaller.Address(url) else {
            throw ValidationError("--server: expected a URL such as http://127.0.0.1:8080, found '\(url)'")
        }
        return AdminCaller(
            address,
            tls: try address.origin.isSecure ? settings() : TLSClientConfiguration(),
            token: try AdminArguments.token(adminToken)
        )
    }

    private func settings() throws -> TLSClientConfiguration {
        var configuration = TLSClientConfiguration()
        if insecure { try Contradiction.refuse("--insecure", with: ["--tls-ca": tlsCa != nil]) }
        if let path = tlsCa ?? EnvironmentVariable(of: "--tls-ca").text() {
            configuration.trust = .certificates(try CertificateFile.read(path, from: "--tls-ca"))
        } else if try insecure || EnvironmentVariable(of: "--insecure").isSet() {
            configuration.trust = .anyCertificate
        }
        return configuration
    }
}
