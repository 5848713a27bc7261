// SPDX-License-Identifier: Apache-2.0

#if canImport(XCTest)
    public import Reprise
    public import RepriseMatching
    public import RepriseReplay
    public import RepriseText
    public import XCTest

    extension XCTestCase {
        /// Runs `body` with a cassette, which is named after the test's class and method by default.
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
        /// If the test fails in `body`, its requests and their outcomes are printed, and also written to the folder in
        /// `REPRISE_LOG_DIR`, if that variable is set. Its recording is discarded, and the cassette stays unchanged,
        /// unless `REPRISE_KEEP_FAILED=1` is set.
        ///
        /// - Parameters:
        ///   - name: The name of the cassette in its folder: `users` is `Fixtures/users.cassette.json`. If nil, the
        ///     name is `Module/Class/method`.
        ///   - mode: Where answers come from; nil for the cassette alone. `REPRISE_MODE` overrides the mode.
        ///   - matching: The parts of a request that must match the recording; nil for method, path, query, and body.
        ///   - afterLast: What follows the last of the answers to equal requests. If nil, a further request is a miss
        ///     in a strict replay, and the last answer repeats in the other modes and with edits.
        ///   - pace: How fast recorded time passes. If nil, it takes no real time.
        ///   - bends: Edits of the recorded responses, which end, stall, or change them; nil for none.
        ///   - expectsRequests: Whether the test fails at the line of the call if `body` sends no request that
        ///     reaches the cassette. If nil, it fails unless the argument `mode` is `live`.
        ///   - folder: The folder of the cassettes; nil for the value of `REPRISE_FIXTURES`, or else `Fixtures/` next
        ///     to the source file.
        ///   - base: The transport that reaches the network; nil for the client's live transport.
        ///   - configuration: Other settings for recording and replaying.
        ///   - environment: The environment variables; nil for those of the process.
        ///   - filePath: The path of the test's source file. Omit this argument.
        ///   - line: The line of the call. Omit this argument.
        ///   - body: The code to run with the cassette.
        /// - Returns: The value that `body` returns.
        /// - Throws: The same errors as the global function `withCassette`.
        public func withCassette<Result>(
            _ name: String? = nil,
            mode: ReplayMode? = nil,
            matching: [Matcher]? = nil,
            afterLast: AfterLast? = nil,
            pace: Pace? = nil,
            bending bends: [Bend]? = nil,
            expectsRequests: Bool? = nil,
            in folder: URL? = nil,
            over base: (any Transport)? = nil,
            configuration: CassetteSession.Configuration? = nil,
            environment: [String: String]? = nil,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            _ body: (TestCassette) async throws -> Result
        ) async throws -> Result {
            let settings: CassetteSettings =
                .init(mode, matching, pace, folder, base, configuration, expectsRequests, afterLast, bends)
            let failures = failureCount
            return try await CassetteRun(name, settings, of: identity("\(filePath)"), environment: environment).run(
                hasFailed: { failureCount > failures },
                // An error that is thrown has no line in XCTest.
                reportIdle: { if failureCount == 0 { XCTFail("\($0)", file: filePath, line: line) } },
                body
            )
        }

        /// `@nonobjc`, because XCTest exposes extensions of test cases to Objective-C. If XCTest had a method with
        /// this name, this property would replace it for all tests.
        @nonobjc var failureCount: Int { testRun?.totalFailureCount ?? 0 }

        func identity(_ sourceFile: String) -> TestIdentity {
            var components = String(reflecting: type(of: self)).split(separator: ".").map(String.init)
            let module = components.removeFirst()
            // The name is `Class.method` on Linux, and `-[Class method]` on Apple platforms, where the names of
            // throwing methods are longer.
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
