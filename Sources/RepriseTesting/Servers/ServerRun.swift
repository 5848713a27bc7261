// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
    internal import RepriseStubAnswers
    internal import RepriseFixtures
    internal import RepriseMatching
    internal import RepriseText
    internal import RepriseServer

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// Part of a test, with its own server.
    struct ServerRun: Sendable {
        private let fixtures: [Fixture]
        private let stubs: [StubFixture]
        /// The paths of the fixtures, for commands in messages; empty if they are in memory.
        private let paths: [String]
        private let configuration: MockServer.Configuration
        private let test: TestIdentity
        private let environment = ProcessInfo.processInfo.environment

        init(
            _ fixtures: [Fixture],
            stubs: [StubFixture] = [],
            at paths: [String] = [],
            _ configuration: MockServer.Configuration?,
            of test: TestIdentity
        ) {
            self.fixtures = fixtures
            self.stubs = stubs
            self.paths = paths
            self.test = test
            var configuration = configuration
            if configuration == nil {
                configuration = MockServer.Configuration()
                configuration?.pace = .instant
            }
            self.configuration = configuration ?? MockServer.Configuration()
        }

        /// - Parameter names: The names of folders and files in the folder of fixtures. If there are none, the whole
        ///   folder is served.
        init(
            _ names: [String],
            in folder: URL?,
            _ configuration: MockServer.Configuration?,
            of test: TestIdentity
        ) throws(FixtureProblems) {
            let environment = ProcessInfo.processInfo.environment
            let folder = CassettePlace.folder(folder, nextTo: test.sourceFile, in: environment)
            let named = names.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
            let paths = named.isEmpty ? [folder] : named
            let options = configuration?.stubs ?? StubOptions()
            let set = try FixtureLoader.load(paths, stubOptions: options)
            self.init(set.fixtures, stubs: set.stubs, at: paths, configuration, of: test)
        }

        /// - Parameters:
        ///   - hasFailed: Returns whether the test failed in a way that Swift Testing does not detect.
        ///   - report: Records the explanation of unanswered requests in a test that has failed.
        func run<Result>(
            hasFailed: () -> Bool = { false },
            report: (String) -> Void = RecordedFailure.record,
            _ body: (MockServer) async throws -> Result
        ) async throws -> Result {
            let server = try await MockServer.start(fixtures: fixtures, stubs: stubs, configuration: configuration)
            return try await TestLogs.watch(hasFailed: hasFailed) {
                try await body(server)
            } end: { hasFailed in
                let journal = await server.journal
                let traffic = hasFailed ? await server.trafficSummary(ToolInvocation(paths: paths)) : nil
                // Responses in progress are dropped because nothing waits for them.
                await server.stop(grace: .zero)
                TestLogs.add(TestLog(journal, of: "\(test.name).server"), hasFailed: hasFailed, environment)
                // Without a failure, the test may expect a 404.
                if let explanation = traffic?.explanation { report(explanation) }
            }
        }
    }

    extension TrafficSummary {
        /// The explanation of the requests that nothing answered; nil if there are none.
        var explanation: String? {
            guard unansweredCount > 0 else { return nil }
            return
                (["The mock server had no answer to \(unansweredCount) of \(requestCount) requests."] + explanations())
                .joined(separator: "\n\n")
        }
    }
#endif
