// SPDX-License-Identifier: Apache-2.0

#if canImport(XCTest)
    public import Reprise
    public import RepriseReplay
    public import XCTest

    extension XCTestCase {
        /// Runs `body` with a cassette, named after the test's class and method if nothing else is said.
        ///
        /// ```swift
        /// final class BookXCTests: XCTestCase {
        ///     func testLoads() async throws {
        ///         try await withCassette { _ in
        ///             let book: Book = try await Client("https://api.example.com/v1").get("/books/42").value()
        ///             XCTAssertEqual(book.title, "The Lighthouse Atlas")
        ///         }
        ///     }
        /// }
        /// ```
        ///
        /// A test that fails in it prints what was asked for and what answered, and writes it to the folder that
        /// `REPRISE_LOG_DIR` names. What it recorded is forgotten, and the cassette stays as it was, unless
        /// `REPRISE_KEEP_FAILED=1`.
        ///
        /// - Parameters:
        ///   - name: the cassette's, in its folder: `users` is `Fixtures/users.cassette.json`. Nil for
        ///     `Module/Class/method`.
        ///   - mode: where answers come from; nil for the cassette alone. `REPRISE_MODE` overrides it.
        ///   - matching: what has to be as it was recorded; nil for method, path, query and body.
        ///   - pace: how fast recorded time passes; nil for not at all.
        ///   - folder: where the cassettes are; nil for what `REPRISE_FIXTURES` names, or else `Fixtures/` beside the
        ///     source file.
        ///   - base: what reaches the network; nil for the platform's live transport.
        ///   - configuration: all else about recording and replaying.
        ///   - environment: the variables; nil for the process's.
        /// - Returns: what `body` returns.
        /// - Throws: as the function of the same name does.
        public func withCassette<Result>(
            _ name: String? = nil,
            mode: ReplayMode? = nil,
            matching: [Matcher]? = nil,
            pace: Pace? = nil,
            in folder: URL? = nil,
            over base: (any Transport)? = nil,
            configuration: CassetteSession.Configuration? = nil,
            environment: [String: String]? = nil,
            filePath: String = #filePath,
            _ body: (TestCassette) async throws -> Result
        ) async throws -> Result {
            let settings = CassetteSettings(mode, matching, pace, folder, base, configuration)
            let failures = failureCount
            return try await CassetteRun(name, settings, of: identity(filePath), environment: environment)
                .run(hasFailed: { failureCount > failures }, body)
        }

        /// `@nonobjc`, because XCTest exposes extensions of test cases to Objective-C, and a method of this name in XCTest
        /// itself would be replaced for all tests.
        @nonobjc var failureCount: Int { testRun?.totalFailureCount ?? 0 }

        func identity(_ sourceFile: String) -> TestIdentity {
            var components = String(reflecting: type(of: self)).split(separator: ".").map(String.init)
            let module = components.removeFirst()
            // `Class.method` here, `-[Class method]` on Apple platforms, where methods that throw have a longer name.
            let method = name.split { " .]".contains($0) }.last.map(String.init) ?? ""
            components.append(Self.method(method))
            return TestIdentity(module: module, components, sourceFile: sourceFile)
        }

        private static func method(_ selector: String) -> String {
            for ending in ["AndReturnError:", "WithCompletionHandler:"] where selector.hasSuffix(ending) {
                return String(selector.dropLast(ending.count))
            }
            return selector
        }
    }
#endif
