// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseServer

/// The options for TLS between clients and the server.
struct TLSArguments: ParsableArguments {
    @Flag(help: "Serve https, with a generated certificate that a local authority signs.")
    var tls = false

    @Option(
        help: ArgumentHelp(
            "Serve https, and keep the local authority in this folder so that clients trust it only once.",
            valueName: "folder"
        )
    )
    var tlsFolder: String?

    @Option(
        help: ArgumentHelp("Another name or address that clients use for the server; repeatable.", valueName: "name")
    )
    var tlsName: [String] = []

    @Option(help: ArgumentHelp("Serve https with the certificate in this PEM file.", valueName: "file"))
    var cert: String?

    @Option(help: ArgumentHelp("The PEM file with the certificate's key.", valueName: "file"))
    var key: String?

    /// The TLS settings from the command line or the environment; nil to serve plain HTTP.
    func resolved() throws -> MockServer.TLS? {
        let cert = cert ?? EnvironmentVariable(of: "--cert").text()
        let key = key ?? EnvironmentVariable(of: "--key").text()
        let folder = tlsFolder ?? EnvironmentVariable(of: "--tls-folder").text()
        switch (cert, key) {
        case (let cert?, let key?):
            try Contradiction.refuse(
                "--cert",
                with: ["--tls-folder": folder != nil, "--tls": tls, "--tls-name": !tlsName.isEmpty]
            )
            return .files(certificate: cert, key: key)
        case (nil, nil): break
        case (nil, _): throw ValidationError("--key: expected --cert, found none; add --cert cert.pem")
        case (_, nil): throw ValidationError("--cert: expected --key, found none; add --key key.pem")
        }
        guard try tls || folder != nil || EnvironmentVariable(of: "--tls").isSet() else {
            if tlsName.isEmpty { return nil }
            throw ValidationError("--tls-name: expected --tls, found none; add --tls")
        }
        let names = EnvironmentVariable(of: "--tls-name").list(unless: tlsName, "--tls-name").texts
        return .localAuthority(folder: folder, names: names)
    }
}
