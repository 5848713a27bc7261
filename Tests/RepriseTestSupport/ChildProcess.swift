// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import RepriseLocking

/// A process of a test's own.
///
/// Not Foundation's `Process`: on Linux it reads beyond the end of a folder's entry in `/proc/self/fd`, and ends the tests
/// with a bad access when some 1,360 descriptors are open, as they are when many tests run at once.
public final class ChildProcess: Sendable {
    /// Its number.
    public let identifier: pid_t
    private let status = Locked<Int32?>(nil)
    /// Held while a process starts or descriptors are made that none may have.
    private static let spawning = Locked(0)

    /// Why a process could not be started.
    public struct Failure: Error, CustomStringConvertible {
        /// What failed, and how.
        public let description: String
    }

    /// Starts `executable`. It reads nothing, and has no other descriptors of this process than those that are to be left
    /// open: none, for all that is opened here is closed on the way.
    ///
    /// - Parameters:
    ///   - executable: the file's path.
    ///   - arguments: without the name that a command finds before them.
    ///   - environment: the variables; nil for this process's.
    ///   - folder: the working folder; nil for this process's.
    ///   - output: what it has for its standard output; nil for nothing.
    ///   - errors: what it has for its standard error; nil for this process's.
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
            // The runner may hold signals back, and a child would inherit that.
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

    /// Sends a signal; nothing if its end was waited for.
    public func signal(_ number: Int32) {
        status.withLock { status in
            if status == nil { kill(identifier, number) }
        }
    }

    /// Waits for its end, and keeps the thread for so long.
    ///
    /// - Returns: what it exited with, or 128 and the number of the signal that ended it.
    @discardableResult
    public func wait() -> Int32 {
        if let known = status.withLock({ $0 }) { return known }
        var raw: Int32 = 0
        // It stays a zombie, and its number its own, until `status` says that it was waited for.
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

    /// A pipe that no child has a copy of, unless it is given an end: it ends when that child does.
    public static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
        var ends: [Int32] = [0, 0]
        let result = Self.spawning.withLock { _ in
            // No other process may start before both are marked.
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
