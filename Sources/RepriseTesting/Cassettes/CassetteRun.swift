// SPDX-License-Identifier: Apache-2.0

internal import Reprise

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// A part of a test that has its own cassette.
struct CassetteRun: Sendable {
    let name: String?
    let settings: CassetteSettings
    let test: TestIdentity
    let environment: [String: String]

    /// - Parameter environment: The environment variables; nil for those of the process.
    init(_ name: String?, _ settings: CassetteSettings, of test: TestIdentity, environment: [String: String]?) {
        self.name = name
        self.settings = settings.over(TestCassette.current?.settings ?? CassetteSettings())
        self.test = test
        self.environment = environment ?? ProcessInfo.processInfo.environment
    }

    /// - Parameters:
    ///   - hasFailed: Returns whether the test failed in a way that Swift Testing does not detect.
    ///   - report: Reports the failure of a test without requests. By default, it is thrown.
    ///   - body: The code to run.
    func run<Result>(
        hasFailed: () -> Bool = { false },
        reportIdle report: (CassetteFailure) throws -> Void = { throw $0 },
        _ body: (TestCassette) async throws -> Result
    ) async throws -> Result {
        let argument = CassetteName.argument(name)
        let cassette = try TestCassette(name ?? test.name, settings, of: test, environment: environment) {
            "withCassette(\(argument)\($0))"
        }
        let log = TestLog(cassette, name: name ?? test.name)
        let failures = TestLogs()
        do {
            let result = try await failures.watch {
                try await cassette.whileAmbient { try await body(cassette) }
            }
            let hasFailed = failures.hasFailed || hasFailed()
            // An enclosing test that has failed or was canceled may have skipped its requests.
            let failsIfIdle = !Task.isCancelled && TestLogs.current?.hasFailed != true
            do {
                try cassette.finish(hasFailed: hasFailed, failsIfIdle: failsIfIdle)
            } catch let failure as CassetteFailure where failure.codeWithoutRequests != nil {
                try report(failure)
            }
            TestLogs.add(log, hasFailed: hasFailed, environment)
            return result
        } catch {
            // Throw the error from `body`, which came first. The log shows the other one.
            do { try cassette.finish(hasFailed: true) } catch { cassette.log.note("\(error)") }
            TestLogs.add(log, hasFailed: true, environment)
            throw error
        }
    }
}

extension TestCassette {
    /// Runs `body` with this cassette's transport and clock as the ambient ones. Meanwhile, requests that bypass the
    /// cassette fail.
    func whileAmbient<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let number = mode == .live && !permitsNetwork ? nil : NetworkGuard.open(path, isLive: permitsNetwork)
        SessionCassettes.open(self)
        defer {
            SessionCassettes.close(self)
            if let number { NetworkGuard.close(number) }
        }
        return try await Self.$ambient.withValue(self) {
            try await Ambient.$transport.withValue(transport) {
                try await Ambient.$clock.withValue(clock ?? Ambient.clock) {
                    try await NetworkGuard.$isPermitted.withValue(permitsNetwork) {
                        try await NetworkGuard.$scope.withValue(NetworkGuard.Scope(path, onBypass: note)) {
                            try await CacheScope.$current.withValue(CacheScope()) {
                                do {
                                    let result = try await body()
                                    await sessionTasks.waitForCanceled()
                                    return result
                                } catch {
                                    await sessionTasks.waitForCanceled()
                                    throw error
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
