// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
    internal import RepriseStubAnswers
    internal import RepriseFixtures
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
        private let configuration: MockServer.Configuration
        private let test: TestIdentity
        private let environment = ProcessInfo.processInfo.environment

        init(
            _ fixtures: [Fixture],
            stubs: [StubFixture] = [],
            _ configuration: MockServer.Configuration?,
            of test: TestIdentity
        ) {
            self.fixtures = fixtures
            self.stubs = stubs
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
            let paths = names.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
            let options = configuration?.stubs ?? StubOptions()
            let set = try FixtureLoader.load(paths.isEmpty ? [folder] : paths, stubOptions: options)
            self.init(set.fixtures, stubs: set.stubs, configuration, of: test)
        }

        /// - Parameter hasFailed: Returns whether the test failed in a way that Swift Testing does not detect.
        func run<Result>(
            hasFailed: () -> Bool = { false },
            _ body: (MockServer) async throws -> Result
        ) async throws -> Result {
            let server = try await MockServer.start(fixtures: fixtures, stubs: stubs, configuration: configuration)
            let failures = TestLogs()
            do {
                let result = try await failures.watch { try await body(server) }
                await end(server, hasFailed: failures.hasFailed || hasFailed())
                return result
            } catch {
                await end(server, hasFailed: true)
                throw error
            }
        }

        private func end(_ server: MockServer, hasFailed: Bool) async {
            let journal = await server.journal
            // Responses in progress are dropped because nothing waits for them.
            await server.stop(grace: .zero)
            TestLogs.add(TestLog(journal, of: "\(test.name).server"), hasFailed: hasFailed, environment)
        }
    }
#endif
