// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import Foundation
internal import RepriseLocking

/// A child process that belongs to one test.
///
/// It replaces Foundation's `Process`, which on Linux reads beyond the end of a directory entry in `/proc/self/fd`.
/// With about 1,360 open descriptors, as when many tests run in parallel, that crashes the test run with a bad
/// access.
public final class ChildProcess: Sendable {
    /// The process identifier.
    public let identifier: pid_t
    private let status = Locked<Int32?>(nil)
    /// Held while a process starts or while descriptors are created that no child may inherit.
    private static let spawning = Locked(0)

    /// A process that could not be started.
    public struct Failure: Error, CustomStringConvertible {
        /// A description of what failed and why.
        public let description: String
    }

    /// Starts `executable` with empty standard input. Besides its standard streams, it inherits no descriptors of this
    /// process: all others are closed when it starts.
    ///
    /// - Parameters:
    ///   - executable: The path of the file.
    ///   - arguments: The arguments, without the command name that precedes them.
    ///   - environment: The environment variables, or nil for those of this process.
    ///   - folder: The working directory, or nil for that of this process.
    ///   - output: The standard output, or nil to discard it.
    ///   - errors: The standard error, or nil for that of this process.
    public init(
        _ executable: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        in folder: String? = nil,
        output: FileHandle? = nil,
        errors: FileHandle? = nil
    ) throws {
        var (executable, arguments) = (executable, arguments)
        if let folder {
            arguments = ["-c", "cd \"$0\" && exec \"$@\"", folder, executable] + arguments
            executable = "/bin/sh"
        }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if let output {
            unsafe posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, 1)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, errors?.fileDescriptor ?? 2, 2)
        #if canImport(Darwin)
            unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
        #else
            // The test runner may block signals, and a child would inherit that.
            var none = sigset_t()
            unsafe sigemptyset(&none)
            unsafe posix_spawnattr_setsigmask(&attributes, &none)
            unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        #endif
        let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
        var identifier = pid_t()
        let problem = unsafe Self.withStrings([executable] + arguments) { arguments in
            unsafe Self.withStrings(variables) { variables in
                Self.spawning.withLock { _ in
                    unsafe posix_spawn(&identifier, executable, &actions, &attributes, arguments, variables)
                }
            }
        }
        guard problem == 0 else {
            throw Failure(description: "\(executable): \(unsafe String(cString: strerror(problem)))")
        }
        self.identifier = identifier
    }

    deinit {
        guard status.withLock({ $0 }) == nil else { return }
        kill(identifier, SIGKILL)
        _ = wait()
    }

    /// Sends a signal. Has no effect if the process has ended and been waited for.
    public func signal(_ number: Int32) {
        status.withLock { status in
            if status == nil { kill(identifier, number) }
        }
    }

    /// Waits for the process to end without blocking a thread of the concurrency pool, which all tests share. If the task
    /// is canceled, the process is killed.
    public func exitStatus() async -> Int32 {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: self.wait()) }
            }
        } onCancel: {
            signal(SIGKILL)
        }
    }

    /// Waits for the process to end. Blocks the calling thread.
    ///
    /// - Returns: The exit code, or 128 plus the number of the signal that ended the process.
    @discardableResult
    public func wait() -> Int32 {
        if let known = status.withLock({ $0 }) { return known }
        var raw: Int32 = 0
        // The process stays a zombie and keeps its identifier until `status` is set.
        var information = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return status.withLock { status in
            if let status { return status }
            while unsafe waitpid(identifier, &raw, 0) < 0, errno == EINTR {}
            let signal = raw & 0x7F
            let result = signal == 0 ? (raw >> 8) & 0xFF : 128 + signal
            status = result
            return result
        }
    }

    /// Creates a pipe that no child inherits unless it is passed one of the ends, so the pipe ends when that child
    /// does.
    public static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
        var ends: [Int32] = [0, 0]
        let result = Self.spawning.withLock { _ in
            // No other process may start before both ends are marked.
            let result = unsafe Foundation.pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return result
        }
        guard result == 0 else { throw Failure(description: "pipe: \(unsafe String(cString: strerror(errno)))") }
        return (
            FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
            FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
    }

    private static func withStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies + [nil])
    }
}
