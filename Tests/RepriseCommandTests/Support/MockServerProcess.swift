// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport

/// The built `mockserver` in its own process, as a user runs it, or another program.
final class MockServerProcess: @unchecked Sendable {
    // Everything is set up in the initializer; `lock` protects the collected output.
    private let process: ChildProcess
    private let lock = NSCondition()
    private var output = ""
    private var errors = ""
    private var openPipes = 2

    /// The result of a finished process.
    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The reason that waiting for a process failed.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Starts `mockserver` with `arguments`.
    ///
    /// - Parameters:
    ///   - program: The path of another program to start, or nil for `mockserver`.
    ///   - descriptors: The limit on the number of open descriptors, or nil for that of this process.
    ///   - fileSize: The limit on the size of written files in blocks of 512 bytes, or nil for none. Writing more fails
    ///     as on a full disk.
    ///   - signal: A signal that the process ignores from its start.
    init(
        _ arguments: [String],
        program: String? = nil,
        environment: [String: String] = [:],
        in folder: URL? = nil,
        descriptors: Int? = nil,
        fileSize: Int? = nil,
        ignoring signal: Int32? = nil
    ) throws {
        var (executable, arguments) = (try program ?? Self.executable().path, arguments)
        let signal = fileSize == nil ? signal : SIGXFSZ
        let setup = [
            descriptors.map { "ulimit -n \($0); " }, signal.map { "trap '' \($0); " },
            fileSize.map { "ulimit -f \($0); " },
        ].compactMap(\.self)
        if !setup.isEmpty {
            arguments = ["-c", setup.joined() + "exec \"$0\" \"$@\"", executable] + arguments
            executable = "/bin/sh"
        }
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MOCKSERVER_") }
        // ThreadSanitizer would write a temporary file before the program starts.
        if fileSize != nil { variables["TMPDIR"] = "/nonexistent" }
        variables.merge(environment) { $1 }
        let (outputPipe, errorPipe) = (try ChildProcess.pipe(), try ChildProcess.pipe())
        process = try ChildProcess(
            executable,
            arguments,
            environment: variables,
            in: folder?.path,
            output: outputPipe.writing,
            errors: errorPipe.writing
        )
        // Otherwise the pipes would stay open after the child has exited.
        try outputPipe.writing.close()
        try errorPipe.writing.close()
        collect(outputPipe.reading) { $0.output += $1 }
        collect(errorPipe.reading) { $0.errors += $1 }
    }

    /// Starts a command as it is printed for users, in a shell.
    static func shell(_ command: String, in folder: URL) throws -> MockServerProcess {
        let script = command.replacing("swift run mockserver", with: "\"$0\"")
        return try MockServerProcess(["-c", script, executable().path], program: "/bin/sh", in: folder)
    }

    /// Runs `mockserver` with `arguments` until it exits.
    static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Result {
        try await MockServerProcess(arguments, environment: environment).result()
    }

    /// The port in the ready line on standard output.
    func port() async throws -> Int {
        let line = try await waitFor { $0.output.contains("\n") ? $0.output : nil }
        guard let range = line.range(of: #":[0-9]+ \("#, options: .regularExpression),
            let port = Int(line[range].dropFirst().dropLast(2))
        else { throw Failure(description: "no port in the ready line: \(line)") }
        return port
    }

    /// Waits until standard error contains `text`.
    func errors(containing text: String) async throws -> String {
        try await waitFor { $0.errors.contains(text) ? $0.errors : nil }
    }

    /// Waits until standard output contains `text`.
    func output(containing text: String) async throws -> String {
        try await waitFor { $0.output.contains(text) ? $0.output : nil }
    }

    /// Waits until standard output has `count` lines.
    func output(lines count: Int) async throws -> String {
        try await waitFor { $0.output.count { $0 == "\n" } >= count ? $0.output : nil }
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        process.signal(number)
    }

    /// Sends a signal ten times a second until the process exits.
    ///
    /// A thread sends it, because tasks may be delayed for seconds while other tests run.
    func signalUntilExit(_ number: Int32) {
        Thread.detachNewThread { [weak self] in
            while let self {
                signal(number)
                lock.lock()
                defer { lock.unlock() }
                _ = lock.wait(until: Date(timeIntervalSinceNow: 0.1))
                if openPipes == 0 { return }
            }
        }
    }

    /// Waits until the process exits.
    func result() async throws -> Result {
        let (output, errors) = try await waitFor { $0.openPipes == 0 ? ($0.output, $0.errors) : nil }
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Result(status: self.process.wait(), output: output, errors: errors))
            }
        }
    }

    private func waitFor<Value: Sendable>(
        _ condition: @escaping @Sendable (MockServerProcess) -> Value?
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [self] in
                let limit = Date(timeIntervalSinceNow: 180)
                lock.lock()
                defer { lock.unlock() }
                while true {
                    if let value = condition(self) { return continuation.resume(returning: value) }
                    guard lock.wait(until: limit) else {
                        let seen = "standard output: \(output)\nstandard error: \(errors)"
                        return continuation.resume(throwing: Failure(description: "timed out.\n\(seen)"))
                    }
                }
            }
        }
    }

    private func collect(_ pipe: FileHandle, _ append: @escaping @Sendable (MockServerProcess, String) -> Void) {
        Thread.detachNewThread { [weak self] in
            while true {
                let data = pipe.readSome()
                guard let self else { return }
                lock.lock()
                if data.isEmpty { openPipes -= 1 } else { append(self, String(decoding: data, as: UTF8.self)) }
                lock.broadcast()
                lock.unlock()
                if data.isEmpty { return }
            }
        }
    }

    /// The executable that was built with the tests.
    private static func executable() throws -> URL {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            let folder = (bundle ?? Bundle.main).bundleURL.deletingLastPathComponent()
        #else
            let folder = Bundle.main.bundleURL
        #endif
        let executable = folder.appendingPathComponent("mockserver")
        guard FileManager.default.isExecutableFile(atPath: executable.path) else {
            throw Failure(description: "mockserver is not built at \(executable.path)")
        }
        return executable
    }
}
