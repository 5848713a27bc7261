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
            hosts: try OptionKind.adminHost.values(adminHost, "--admin-host"),
            requiresTokenFromBrowsers: try adminStrict || EnvironmentVariable(of: "--admin-strict").isSet()
        )
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
