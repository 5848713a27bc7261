// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif
#if canImport(XCTest)
    private import XCTest
#endif

/// The logs of one watched test, and whether it has failed.
final class TestLogs: Sendable {
    /// The environment variable with the folder for the logs of failed tests.
    static let variable = "REPRISE_LOG_DIR"

    /// The logs of the test that runs in this task; nil if the test is not watched.
    @TaskLocal static var current: TestLogs?

    private static let maximumErrors = 100
    private let state = Locked(State())

    private struct State {
        var logs: [TestLog] = []
        var hasFailed = false
        var endedEarly = false
        var errors: [String] = []
    }

    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Whether a case of the test threw an error, which may also cancel the case.
    var endedEarly: Bool { state.withLock { $0.endedEarly } }

    /// Notes that a case of the test threw an error.
    func noteEarlyEnd() { state.withLock { $0.endedEarly = true } }

    /// Runs a part of the test and notes each failure that is recorded in it.
    func watch<Result>(
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await RecordedFailure.watch { failure in
            self.noteFailure(failure.error)
            return false
        } _: {
            try await body()
        }
    }

    /// Runs a part of the test, and then `end` with whether the part failed.
    ///
    /// - Parameter hasFailed: Returns whether the test failed in a way that Swift Testing does not detect.
    static func watch<Result>(
        hasFailed: () -> Bool,
        _ body: () async throws -> Result,
        end: (_ hasFailed: Bool) async -> Void
    ) async throws -> Result {
        let failures = TestLogs()
        do {
            let result = try await failures.watch(body)
            await end(failures.hasFailed || hasFailed())
            return result
        } catch {
            await end(isFailure(error))
            throw error
        }
    }

    /// Whether a test that throws this error fails. It does not if it was canceled or skips itself.
    private static func isFailure(_ error: any Error) -> Bool {
        #if canImport(XCTest)
            if error is XCTSkip { return false }
        #endif
        return !Task.isCancelled
    }

    func noteFailure(_ error: (any Error)?) {
        let text = error.map { "\($0)" }
        state.withLock { state in
            state.hasFailed = true
            if let text, state.errors.count < Self.maximumErrors { state.errors.append(text) }
        }
    }

    func hasReported(_ text: String) -> Bool {
        state.withLock { state in state.errors.contains { $0.contains(text) } }
    }

    func append(_ log: TestLog) {
        state.withLock { $0.logs.append(log) }
    }

    /// Adds a log to the watched test. If the test is not watched but has failed, delivers the log immediately.
    static func add(_ log: TestLog, hasFailed: Bool, _ environment: [String: String]) {
        if let current { return current.append(log) }
        if hasFailed { deliver([log], environment) }
    }

    func end(_ environment: [String: String]) {
        let (logs, hasFailed) = state.withLock { ($0.logs, $0.hasFailed) }
        if hasFailed { Self.deliver(logs, environment) }
    }

    /// Delivers logs as attachments in Swift Testing and on standard output elsewhere, and also as files if a folder
    /// for them is set.
    private static func deliver(_ logs: [TestLog], _ environment: [String: String]) {
        for log in logs {
            let text = log.text()
            if !attachToTest(text, named: log.fileName) { print("\(log.name):\n\(text)") }
            guard let folder = environment[variable], !folder.isEmpty else { continue }
            write(text, to: URL(fileURLWithPath: folder), named: log.fileName)
        }
    }

    private static func write(_ text: String, to folder: URL, named name: String) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: folder.appendingPathComponent(name), options: .atomic)
        } catch {
            print("\(variable): cannot write \(name) to \(folder.path): \(error)")
        }
    }
}
