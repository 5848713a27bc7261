// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCommand

@Suite struct TerminalTests {
    @Test(
        arguments: [
            (true, [:], true, true),
            (true, ["TERM": "xterm-256color", "NO_COLOR": ""], true, true),
            (true, ["NO_COLOR": "1"], true, false),
            (true, ["TERM": "dumb"], false, false),
            (false, ["TERM": "xterm"], false, false),
        ] as [(Bool, [String: String], Bool, Bool)]
    )
    func respectsEnvironment(
        isTerminal: Bool,
        environment: [String: String],
        replaces: Bool,
        colors: Bool
    ) {
        let terminal = Terminal(isTerminal: isTerminal, environment: environment)
        #expect(terminal.replacesLines == replaces)
        #expect(terminal.hasColors == colors)
    }

    @Test(arguments: ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])
    func knowsLoopbackHost(host: String) {
        #expect(ServerProcess.isLoopback(host))
        #expect(!ServerProcess.isLoopback("0.0.0.0"))
        #expect(!ServerProcess.isLoopback("::"))
        #expect(!ServerProcess.isLoopback("127.example.com"))
    }

    /// SIGHUP stops the server only if the terminal that it was started from is gone.
    @Test(arguments: [
        (true, false, Signals.Request.stop), (true, true, .reload), (false, false, .reload),
        (false, true, .reload),
    ])
    func distinguishesClosedTerminalFromReload(atStart: Bool, now: Bool, expected: Signals.Request) {
        #expect(HangUp(isIgnored: false, hasTerminal: atStart).request(hasTerminal: now) == expected)
    }
}
