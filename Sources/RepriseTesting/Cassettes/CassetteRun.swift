// SPDX-License-Identifier: Apache-2.0

internal import Reprise

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// A part of a test that has a cassette of its own.
struct CassetteRun: Sendable {
    let name: String?
    let settings: CassetteSettings
    let test: TestIdentity
    let environment: [String: String]

    /// - Parameter environment: the variables; nil for the process's.
    init(_ name: String?, _ settings: CassetteSettings, of test: TestIdentity, environment: [String: String]?) {
        self.name = name
        self.settings = settings.over(TestCassette.current?.settings ?? CassetteSettings())
        self.test = test
        self.environment = environment ?? ProcessInfo.processInfo.environment
    }

    /// Runs `body`, then ends the session.
    ///
    /// - Parameter hasFailed: whether the test failed in a way that Swift Testing does not see.
    func run<Result>(
        hasFailed: () -> Bool = { false },
        _ body: (TestCassette) async throws -> Result
    ) async throws -> Result {
        let cassette = try TestCassette(name ?? test.name, settings, of: test, environment: environment)
        let log = TestLog(cassette, name: name ?? test.name)
        let failures = TestLogs()
        do {
            let result = try await failures.watch {
                try await cassette.whileAmbient { try await body(cassette) }
            }
            let hasFailed = failures.hasFailed || hasFailed()
            try cassette.finish(hasFailed: hasFailed)
            TestLogs.add(log, hasFailed: hasFailed, environment)
            return result
        } catch {
            // What the body threw is what went wrong first; the log has the rest.
            do { try cassette.finish(hasFailed: true) } catch { cassette.log.note("\(error)") }
            TestLogs.add(log, hasFailed: true, environment)
            throw error
        }
    }
}

extension TestCassette {
    /// Runs `body` with this cassette's transport and clock as the ambient ones.
    func whileAmbient<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$ambient.withValue(self) {
            try await Ambient.$transport.withValue(transport) {
                try await Ambient.$clock.withValue(clock ?? Ambient.clock) {
                    try await body()
                }
            }
        }
    }
}
