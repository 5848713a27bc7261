// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseServer
import Testing
import XCTest

@testable import RepriseTesting

/// A failed test of code with any HTTP library says which requests its server did not answer, and why.
@Suite struct UnansweredRequestTests {
    /// How a test ends after a miss.
    enum Ending: CaseIterable {
        case passes, throwsError, failsExpectation, skips, isCanceled

        var isFailure: Bool { self == .throwsError || self == .failsExpectation }

        func reach() throws {
            switch self {
            case .passes: break
            case .throwsError: throw CocoaError(.coderInvalidValue)
            case .failsExpectation: #expect(Bool(false))
            case .skips: throw XCTSkip()
            case .isCanceled:
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                throw CancellationError()
            }
        }
    }

    /// The failures of a test, with their texts.
    private func failures(of test: @escaping @Sendable () async throws -> Void) async -> [String] {
        let (texts, found) = AsyncStream.makeStream(of: String.self)
        await Task {
            try? await withKnownIssue(isIntermittent: true) {
                try await test()
            } matching: { issue in
                found.yield(issue.comments.map(\.rawValue).joined())
                return true
            }
        }.value
        found.finish()
        return await texts.reduce(into: Set()) { $0.insert($1) }.sorted()
    }

    @Test(arguments: Ending.allCases)
    func failedTestExplainsMiss(ending: Ending) async {
        let failures = await failures {
            try await withMockServer("users.cassette.json") { server in
                // A test that expects the 404 passes.
                try await Client(server.url.absoluteString).get("/users/7?page=2").validate(.none).send()
                try ending.reach()
            }
        }
        let explanations = failures.filter { $0.contains("The mock server had no answer to 1 of 1 requests.") }
        #expect(explanations.count == (ending.isFailure ? 1 : 0))
        guard let text = explanations.first else { return }
        #expect(text.contains("No fixture answers GET /users/7?page=2."))
        #expect(text.contains("path: expected /users/"))
        #expect(text.contains("mockserver explain GET '/users/7?page=2'"))
        #expect(!text.contains("--server"))
    }

    @Test(arguments: [true, false])
    func failedTestWithStubsExplainsMiss(inProcess: Bool) async throws {
        try await withMockServer([]) { beside in
            let environment = inProcess ? [:] : ["REPRISE_SERVER": beside.url.absoluteString]
            let failures = await failures {
                let run = StubServerRun([StubMapping(.get("/a"), .text("a"))], environment: environment)
                try await run.run { server in
                    try await Client(server.url.absoluteString).get("/b").validate(.none).send()
                    throw CocoaError(.coderInvalidValue)
                }
            }
            #expect(failures.contains { $0.contains("had no answer to") && $0.contains("GET /b") })
        }
    }

    @Test func answeredRequestsAddNoFailure() async {
        let failures = await failures {
            try await withMockServer("users.cassette.json") { server in
                try await Client(server.url.absoluteString).get("/users/1").send()
                throw CocoaError(.coderInvalidValue)
            }
        }
        #expect(failures == [""])
    }
}
