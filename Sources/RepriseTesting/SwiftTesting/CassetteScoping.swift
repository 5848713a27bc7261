// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    internal import Reprise
    public import Testing

    #if canImport(FoundationEssentials)
        private import FoundationEssentials
    #else
        private import Foundation
    #endif

    /// A trait with settings for a test's cassette.
    protocol CassetteScoping: Trait, TestScoping {
        var settings: CassetteSettings { get }
        var cassetteName: String? { get }
    }

    extension CassetteTrait {
        /// Returns this trait. Only a test function gets a cassette, which all of its cases share.
        public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassetteTrait? { self }

        /// Runs the test with its cassette, or one of its cases, or a suite.
        public func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            try await CassetteScope.provide(for: test, testCase: testCase, performing: function)
        }
    }

    extension NamedCassetteTrait {
        /// Returns this trait. Only a test function gets a cassette, which all of its cases share.
        public func scopeProvider(for test: Test, testCase: Test.Case?) -> NamedCassetteTrait? { self }

        /// Runs the test with its cassette, or one of its cases, or a suite.
        public func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            try await CassetteScope.provide(for: test, testCase: testCase, performing: function)
        }
    }

    /// Provides the cassette for a test.
    enum CassetteScope {
        /// The test that already has its cassette. If a test has several traits, the first one provides the cassette
        /// for all.
        @TaskLocal private static var test: Test.ID?
        /// The environment variables; nil for those of the process.
        @TaskLocal static var environment: [String: String]?

        static func provide(
            for test: Test,
            testCase: Test.Case? = nil,
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            if testCase != nil { return try await runCase(function) }
            let traits = test.traits.compactMap { $0 as? any CassetteScoping }
            if test.isSuite { return try await runSuite(test, traits, performing: function) }
            guard Self.test != test.id else { return try await function() }
            try await $test.withValue(test.id) {
                try await run(test, traits, performing: function)
            }
        }

        private static func runCase(_ function: @concurrent @Sendable () async throws -> Void) async throws {
            do {
                try await function()
            } catch {
                TestLogs.current?.noteEarlyEnd()
                throw error
            }
        }

        /// Runs the tests of a suite. If none of them sends a request, the suite fails, unless its folder has a
        /// cassette: tests that don't run now may have recorded it.
        static func runSuite(
            _ suite: Test,
            _ traits: [any CassetteScoping],
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            let outer = SuiteRequests.current
            // The traits of the enclosing suites are also traits of this one.
            guard traits.count > outer?.traits ?? 0 else { return try await function() }
            let requests = SuiteRequests(traits: traits.count, in: outer)
            try await SuiteRequests.$current.withValue(requests) { try await function() }
            guard requests.isIdle, !Task.isCancelled, !hasCassette(suite, traits) else { return }
            let fact = "No request of this suite's tests reached a cassette."
            record(CassetteFailure.text(fact, "@Suite(.cassette(\(CassetteFailure.withoutRequests)))"), suite)
            outer?.note(isIdle: false)
        }

        private static func hasCassette(_ suite: Test, _ traits: [any CassetteScoping]) -> Bool {
            let environment = environment ?? ProcessInfo.processInfo.environment
            let identity = TestIdentity(suite)
            let named = settings(traits).folder
            let folder = CassettePlace.folder(named, nextTo: identity.sourceFile, in: environment)
            let files = try? FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(identity.name)")
            return files?.contains { $0.hasSuffix(".cassette.json") } ?? false
        }

        private static func settings(_ traits: [any CassetteScoping]) -> CassetteSettings {
            traits.reduce(CassetteSettings()) { $1.settings.over($0) }
        }

        static func run(
            _ test: Test,
            _ traits: [any CassetteScoping],
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            let environment = environment ?? ProcessInfo.processInfo.environment
            let identity = TestIdentity(test)
            let ownName = traits.compactMap(\.cassetteName).last
            let name = ownName ?? identity.name
            let argument = CassetteName.argument(ownName)
            let cassette = try TestCassette(name, settings(traits), of: identity, environment: environment) {
                "@Test(.cassette(\(argument)\($0)))"
            }
            // A test without a trait of its own may be one of a suite whose other tests send requests.
            let hasOwnTrait = traits.count > SuiteRequests.current?.traits ?? 0
            let logs = TestLogs()
            logs.append(TestLog(cassette, name: name))
            defer { logs.end(environment) }
            do {
                try await TestLogs.$current.withValue(logs) {
                    try await logs.watch { try await cassette.whileAmbient(function) }
                }
            } catch {
                logs.noteFailure(error)
                end(cassette, of: test, logs, hasOwnTrait)
                throw error
            }
            end(cassette, of: test, logs, hasOwnTrait)
        }

        private static func end(_ cassette: TestCassette, of test: Test, _ logs: TestLogs, _ hasOwnTrait: Bool) {
            let endedEarly = logs.endedEarly || Task.isCancelled
            finish(cassette, of: test, logs, failsIfIdle: hasOwnTrait && !endedEarly)
            let isIdle = cassette.isIdle
            guard isIdle || cassette.hasRequests else { return }
            SuiteRequests.current?.note(isIdle: isIdle && !endedEarly && !logs.hasFailed)
        }

        private static func finish(_ cassette: TestCassette, of test: Test, _ logs: TestLogs, failsIfIdle: Bool) {
            do {
                try cassette.finish(hasFailed: logs.hasFailed, failsIfIdle: failsIfIdle)
            } catch let failure as CassetteFailure where logs.hasFailed {
                // A test that stopped early has not sent its remaining requests.
                guard !failure.report.misses.allSatisfy({ logs.hasReported($0.message) }) else { return }
                record(failure.text(withUnused: false), test)
            } catch {
                let text = (error as? TransportError)?.message ?? "\(error)"
                if !logs.hasReported(text) { record(text, test) }
                logs.noteFailure(error)
            }
        }

        private static func record(_ text: String, _ test: Test) {
            Issue.record(Comment(rawValue: text), sourceLocation: test.sourceLocation)
        }
    }
#endif
