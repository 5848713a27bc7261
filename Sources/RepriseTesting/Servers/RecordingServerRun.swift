// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
    internal import Reprise
    internal import RepriseServer

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// A part of a test with a server that records another server, or replays what was recorded.
    struct RecordingServerRun: Sendable {
        private let upstream: MockServer.Upstream
        private let name: String?
        private let settings: CassetteSettings
        private let test: TestIdentity
        private let environment: [String: String]

        /// - Parameters:
        ///   - name: The name of the cassette; nil for that of the test.
        ///   - environment: The environment variables; nil for those of the process.
        init(
            _ upstream: MockServer.Upstream,
            to name: String?,
            _ settings: CassetteSettings,
            of test: TestIdentity,
            environment: [String: String]?
        ) {
            self.upstream = upstream
            self.name = name
            var settings = settings.over(TestCassette.current?.settings ?? CassetteSettings())
            settings.mode = settings.mode ?? .record(.once)
            self.settings = settings
            self.test = test
            self.environment = environment ?? ProcessInfo.processInfo.environment
        }

        /// - Parameters:
        ///   - hasFailed: Returns whether the test failed in a way that Swift Testing does not detect.
        ///   - report: Records the explanation of unanswered requests in a test that has failed otherwise.
        ///   - reportIdle: Reports the failure of a test without requests. By default, it is thrown.
        func run<Result>(
            hasFailed: () -> Bool = { false },
            report: (String) -> Void = RecordedFailure.record,
            reportIdle: (CassetteFailure) throws -> Void = { throw $0 },
            _ body: (MockServer) async throws -> Result
        ) async throws -> Result {
            let argument = name.map { "to: \($0.debugDescription), " } ?? ""
            let cassette = try TestCassette(
                name ?? test.name,
                settings,
                of: test,
                environment: environment,
                isServed: true
            ) { [url = upstream.url] in
                "withMockServer(recording: \(url.debugDescription), \(argument)\($0))"
            }
            let served = try ServedCassette(cassette, recording: upstream)
            let server = try await served.start()
            var ending: (result: Swift.Result<Void, any Error>, explanation: String?) = (.success(()), nil)
            let value: Result
            do {
                value = try await TestLogs.watch(hasFailed: hasFailed) {
                    try await body(server)
                } end: { hasFailed in
                    let log = TestLog(await server.journal, of: "\(test.name).server")
                    let use = await served.end(server)
                    if use.requestCount > 0 { cassette.noteRequest() }
                    cassette.adopt(use)
                    TestLogs.add(log, hasFailed: hasFailed, environment)
                    let result = Swift.Result { try finish(cassette, hasFailed: hasFailed) }
                    ending = (result, hasFailed ? use.explanation : nil)
                }
            } catch {
                // The test throws this error, so the other one needs a failure of its own.
                if let explanation = ending.explanation { report(explanation) }
                throw error
            }
            do {
                try ending.result.get()
            } catch let failure as CassetteFailure where failure.codeWithoutRequests != nil {
                try reportIdle(failure)
            }
            return value
        }

        private func finish(_ cassette: TestCassette, hasFailed: Bool) throws {
            // An enclosing test that has failed or was canceled may have skipped its requests.
            let failsIfIdle = !Task.isCancelled && TestLogs.current?.hasFailed != true
            try cassette.finish(hasFailed: hasFailed, failsIfIdle: failsIfIdle)
        }
    }
#endif
