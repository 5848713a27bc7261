// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseServer

/// The options that limit access to the admin API.
struct AdminArguments: ParsableArguments {
    @Flag(help: "Don't offer the admin API below /__admin.")
    var noAdmin = false

    @Option(
        help: ArgumentHelp(
            """
            Let clients on other machines use the admin API, and require this token from every client. Set it as \
            MOCKSERVER_ADMIN_TOKEN, because other users of the machine can read command lines.
            """,
            valueName: "token"
        )
    )
    var adminToken: String?

    @Option(
        help: ArgumentHelp(
            """
            Another name or address by which clients reach the admin API, such as mock in Docker Compose or 10.0.2.2 \
            in an Android emulator; repeatable.
            """,
            valueName: "name"
        )
    )
    var adminHost: [String] = []

    @Flag(help: "Require the token from browsers even if all pages are handwritten.")
    var adminStrict = false

    /// The settings from the command line or the environment.
    func resolved() throws -> MockServer.Admin {
        if try noAdmin || EnvironmentVariable(of: "--no-admin").isSet() {
            try Contradiction.refuse(
                "--no-admin",
                with: [
                    "--admin-token": adminToken != nil, "--admin-host": !adminHost.isEmpty,
                    "--admin-strict": adminStrict,
                ]
            )
            return .disabled
        }
        return MockServer.Admin(
            token: try Self.token(adminToken),
            hosts: try hosts(),
            requiresTokenFromBrowsers: try adminStrict || EnvironmentVariable(of: "--admin-strict").isSet()
        )
    }

    private func hosts() throws -> [String] {
        let variable = EnvironmentVariable(of: "--admin-host")
        let (names, place) = adminHost.isEmpty ? (variable.list(), variable.name) : (adminHost, "--admin-host")
        return try names.map { try AdminHostName.parsed($0, from: place).text }
    }

    /// Returns the token from the command line or the environment; nil if there is none.
    ///
    /// - Throws: `ValidationError`, which does not contain the token, because errors end up in logs.
    static func token(_ argument: String?) throws -> String? {
        let variable = EnvironmentVariable(of: "--admin-token")
        guard let token = argument ?? variable.text() else { return nil }
        guard MockServer.Admin.isToken(token) else {
            let place = argument == nil ? variable.name : "--admin-token"
            throw ValidationError("\(place): expected visible ASCII characters without spaces, found other characters")
        }
        return token
    }
}

/// The name or address of a host, without a port.
struct AdminHostName: OptionValue {
    static let expected = "a name or an address without a port, such as mock or 10.0.2.2"

    let text: String

    init?(text: String) {
        guard MockServer.Admin.isHost(text) else { return nil }
        self.text = text
    }
}
