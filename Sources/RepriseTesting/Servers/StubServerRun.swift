// SPDX-License-Identifier: Apache-2.0

public import RepriseControl

#if os(Linux) || os(macOS)
    internal import RepriseServer
#endif
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
    private import class Foundation.ProcessInfo
#else
    internal import Foundation
#endif

/// Runs `body` with a mock server for stubs, on every platform.
///
/// ```swift
/// try await withMockServer(stubs: [StubMapping(.get("/profile"), .json(["name": "Ada"]))]) { server in
///     let profile: Profile = try await Client("\(server.url)").get("/profile").value()
///     #expect(profile.name == "Ada")
///     await server.verify(.get("/profile"), .exactly(1))
/// }
/// ```
///
/// If the environment variable `REPRISE_SERVER` has the URL of a running server, `body` gets a session of that server.
/// Otherwise, the server runs in this process, which is possible on Linux and macOS. On other platforms, such as in an
/// iOS simulator, the variable is required. Either way, parallel tests don't affect one another.
///
/// - Parameters:
///   - stubs: The stubs. The first one is tried first. A server in another process also answers with its own fixtures
///     and stubs.
///   - fileID: The test's module and file. Omit this argument.
///   - filePath: The path of the test's source file. Omit this argument.
///   - function: The name of the test if it does not run in Swift Testing. Omit this argument.
///   - body: The code to run with the server.
/// - Returns: The value that `body` returns.
/// - Throws: The error that `body` throws, `ControlError` if a stub is invalid or there is no server, or `StartError`
///   if the server cannot start.
public func withMockServer<Result>(
    stubs: [StubMapping],
    fileID: String = #fileID,
    filePath: String = #filePath,
    function: String = #function,
    _ body: (MockServerControl) async throws -> Result
) async throws -> Result {
    let test = TestIdentity.running(fileID: fileID, sourceFile: filePath, function: function)
    return try await StubServerRun(stubs, of: test).run(body)
}

/// Part of a test, with a server for its stubs: either a server in this process, or a session of one in another
/// process.
package struct StubServerRun: Sendable {
    private let stubs: [StubMapping]
    private let test: TestIdentity
    private let environment: [String: String]

    init(
        _ stubs: [StubMapping],
        of test: TestIdentity,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.stubs = stubs
        self.test = test
        self.environment = environment
    }

    /// Creates a run with an environment other than this process's.
    package init(_ stubs: [StubMapping], environment: [String: String]) {
        let test = TestIdentity.running(fileID: #fileID, sourceFile: #filePath, function: #function)
        self.init(stubs, of: test, environment: environment)
    }

    /// Runs `body` with a server, then stops it or ends the session.
    ///
    /// - Parameters:
    ///   - hasFailed: Returns whether the test failed in a way that Swift Testing does not detect.
    ///   - report: Records the explanation of unanswered requests in a test that has failed.
    package func run<Result>(
        hasFailed: () -> Bool = { false },
        report: (String) -> Void = RecordedFailure.record,
        _ body: (MockServerControl) async throws -> Result
    ) async throws -> Result {
        #if os(Linux) || os(macOS)
            if environment[MockServerControl.serverVariable, default: ""].isEmpty {
                return try await ServerRun([], nil, of: test).run(hasFailed: hasFailed, report: report) { server in
                    try await stubbed(server.controlled, body)
                }
            }
        #endif
        return try await MockServerControl.fromEnvironment(environment).withSession { session in
            try await TestLogs.watch(hasFailed: hasFailed) {
                try await stubbed(session, body)
            } end: { hasFailed in
                if hasFailed, let explanation = await session.unansweredExplanation() { report(explanation) }
            }
        }
    }

    private func stubbed<Result>(
        _ server: MockServerControl,
        _ body: (MockServerControl) async throws -> Result
    ) async throws -> Result {
        if !stubs.isEmpty { try await server.stub(stubs) }
        return try await body(server)
    }
}
