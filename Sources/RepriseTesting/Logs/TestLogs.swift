// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// The logs of one test that somebody watches, and whether it has failed.
final class TestLogs: Sendable {
    /// The variable that names the folder for the logs of tests that failed.
    static let variable = "REPRISE_LOG_DIR"

    /// Those of the test that runs in this task; nil if nobody watches it.
    @TaskLocal static var current: TestLogs?

    private static let maximumErrors = 100
    private let state = Locked(State())

    private struct State {
        var logs: [TestLog] = []
        var hasFailed = false
        var errors: [String] = []
    }

    /// Whether it has failed so far.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Runs a part of the test, and learns of each failure that is recorded in it.
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

    /// The test has failed, with this error if there is one.
    func noteFailure(_ error: (any Error)?) {
        let text = error.map { "\($0)" }
        state.withLock { state in
            state.hasFailed = true
            if let text, state.errors.count < Self.maximumErrors { state.errors.append(text) }
        }
    }

    /// Whether the reader has been told so with an error of the test itself.
    func hasSaid(_ text: String) -> Bool {
        state.withLock { state in state.errors.contains { $0.contains(text) } }
    }

    func append(_ log: TestLog) {
        state.withLock { $0.logs.append(log) }
    }

    /// Hands a log to whoever watches the test; if nobody does, the log is for the reader at once, if there was a failure.
    static func add(_ log: TestLog, hasFailed: Bool, _ environment: [String: String]) {
        if let current { return current.append(log) }
        if hasFailed { deliver([log], environment) }
    }

    /// Hands the logs to the reader, if the test has failed.
    func end(_ environment: [String: String]) {
        let (logs, hasFailed) = state.withLock { ($0.logs, $0.hasFailed) }
        if hasFailed { Self.deliver(logs, environment) }
    }

    /// As attachments in Swift Testing, on standard output elsewhere; and as files, if there is a folder for them.
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
            print("\(variable): \(name) could not be written to \(folder.path): \(error)")
        }
    }
}
