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
        /// Returns this trait once for a test function, so that all of its cases share the cassette.
        public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassetteTrait? {
            test.isSuite || testCase != nil ? nil : self
        }

        /// Runs the test with its cassette.
        public func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            try await CassetteScope.provide(for: test, performing: function)
        }
    }

    extension NamedCassetteTrait {
        /// Returns this trait once for a test function, so that all of its cases share the cassette.
        public func scopeProvider(for test: Test, testCase: Test.Case?) -> NamedCassetteTrait? {
            test.isSuite || testCase != nil ? nil : self
        }

        /// Runs the test with its cassette.
        public func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            try await CassetteScope.provide(for: test, performing: function)
        }
    }

    /// Provides the cassette for a test.
    enum CassetteScope {
        /// The test that already has its cassette. If a test has several traits, the first one provides the cassette
        /// for all.
        @TaskLocal private static var test: Test.ID?
        /// The environment variables; nil for those of the process.
        @TaskLocal static var environment: [String: String]?

        static func provide(for test: Test, performing function: @concurrent @Sendable () async throws -> Void)
            async throws
        {
            guard Self.test != test.id else { return try await function() }
            try await $test.withValue(test.id) {
                try await run(test, performing: function)
            }
        }

        private static func run(_ test: Test, performing function: @concurrent @Sendable () async throws -> Void)
            async throws
        {
            let environment = environment ?? ProcessInfo.processInfo.environment
            let traits = test.traits.compactMap { $0 as? any CassetteScoping }
            let settings = traits.reduce(CassetteSettings()) { $1.settings.over($0) }
            let identity = TestIdentity(test)
            let ownName = traits.compactMap(\.cassetteName).last
            let name = ownName ?? identity.name
            let argument = CassetteName.argument(ownName)
            let cassette = try TestCassette(name, settings, of: identity, environment: environment) { matchers in
                "@Test(.cassette(\(argument)matching: \(matchers)))"
            }
            let logs = TestLogs()
            logs.append(TestLog(cassette, name: name))
            defer { logs.end(environment) }
            do {
                try await TestLogs.$current.withValue(logs) {
                    try await logs.watch { try await cassette.whileAmbient(function) }
                }
            } catch {
                logs.noteFailure(error)
                end(cassette, of: test, logs)
                throw error
            }
            end(cassette, of: test, logs)
        }

        private static func end(_ cassette: TestCassette, of test: Test, _ logs: TestLogs) {
            do {
                try cassette.finish(hasFailed: logs.hasFailed)
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
