// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseServer

/// Who the server is to clients that speak TLS.
struct TLSArguments: ParsableArguments {
    @Flag(help: "Serve https, with a certificate made on the fly by an authority of this machine's own.")
    var tls = false

    @Option(
        help: ArgumentHelp("Keep that authority in this folder, so that clients trust it once.", valueName: "folder")
    )
    var tlsFolder: String?

    @Option(
        help: ArgumentHelp("Another name or address that clients call the server by; repeatable.", valueName: "name")
    )
    var tlsName: [String] = []

    @Option(help: ArgumentHelp("Serve https with the certificate in this file, in PEM.", valueName: "file"))
    var cert: String?

    @Option(help: ArgumentHelp("The certificate's key, in PEM.", valueName: "file"))
    var key: String?

    /// What the arguments and, where they are silent, the environment ask for.
    func resolved() throws -> MockServer.TLS? {
        let cert = cert ?? EnvironmentVariable(of: "--cert").text()
        let key = key ?? EnvironmentVariable(of: "--key").text()
        let folder = tlsFolder ?? EnvironmentVariable(of: "--tls-folder").text()
        switch (cert, key) {
        case (let cert?, let key?):
            if folder != nil {
                throw ValidationError("--tls-folder is for certificates made on the fly, not with --cert")
            }
            return .files(certificate: cert, key: key)
        case (nil, nil): break
        case (nil, _): throw ValidationError("--key: expected --cert beside it, with the certificate's file")
        case (_, nil): throw ValidationError("--cert: expected --key beside it, with the key's file")
        }
        guard try tls || folder != nil || EnvironmentVariable(of: "--tls").isSet() else { return nil }
        let names = tlsName.isEmpty ? EnvironmentVariable(of: "--tls-name").list() : tlsName
        return .localAuthority(folder: folder, names: names)
    }
}
