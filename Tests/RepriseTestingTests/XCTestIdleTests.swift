// SPDX-License-Identifier: Apache-2.0

import XCTest

@testable import RepriseTesting

#if !canImport(Darwin)
    /// A test in XCTest that sends no request fails at the line of the call, once.
    final class XCTestIdleTests: XCTestCase {
        private var failures: [(text: String, file: String, line: Int)]?

        override func recordFailure(
            withDescription description: String,
            inFile filePath: String,
            atLine lineNumber: Int,
            expected: Bool
        ) {
            guard failures == nil else {
                failures?.append((description, filePath, lineNumber))
                return
            }
            super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }

        func testFailsAtLineOfCall() async throws {
            let folder = try TemporaryFolder()
            failures = []
            let line = #line + 1
            let sum = try await withCassette("absent", in: folder.url, environment: [:]) { _ in 1 + 1 }
            let found = failures ?? []
            failures = nil
            XCTAssertEqual(sum, 2)
            XCTAssertEqual(found.map(\.line), [line])
            XCTAssertEqual(found.map(\.file), [#filePath])
            let text = found.first?.text ?? ""
            XCTAssert(text.contains("No request reached the cassette, so "), text)
            XCTAssert(text.hasSuffix("\n  withCassette(\"absent\", expectsRequests: false)"), text)
        }

        func testPassesIfNoRequestIsExpected() async throws {
            try await withCassette("users", expectsRequests: false, environment: [:]) { _ in }
        }

        func testAddsNoFailureToFailedTest() async throws {
            let run = CassetteRun("absent", CassetteSettings(), of: identity(#filePath), environment: [:])
            try await run.run(hasFailed: { true }, reportIdle: { XCTFail("\($0)") }) { _ in }
        }
    }
#endif
