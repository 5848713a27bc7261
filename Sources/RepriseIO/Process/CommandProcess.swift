// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A command that runs as a job of its own: in its own process group, which gets the terminal as soon as it uses it.
///
/// It inherits the standard streams, the working directory, and the environment, and none of the descriptors that this
/// package opens.
package final class CommandProcess: Sendable {
    /// How a command ended.
    package enum End: Sendable, Hashable {
        case exited(Int32)
        /// - Parameter byTerminal: Whether the terminal sent the signal to the command and not to this process, as far
        ///   as this can be known.
        case killed(signal: Int32, byTerminal: Bool = false)

        /// The status as a shell gives it: 128 plus the number of a signal.
        package var status: Int32 {
            switch self {
            case .exited(let status): status
            case .killed(let signal, _): 128 + signal
            }
        }
    }

    /// The identifier of the process and of its group.
    package let identifier: Int32
    private let terminal: JobTerminal?
    private let hasEnded = Locked(false)

    /// How often ``othersRemain(for:)`` looks.
    private static let pollInterval = Int32(20)

    /// Starts a command, which is found by PATH.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - variables: The environment variables to add or to replace.
    ///   - prefix: The start of the names of other variables that the command does not get; nil for none.
    ///   - network: The only network that the command has; nil for that of this process.
    /// - Throws: The reason that it cannot be started. The code is ENOENT if there is no such program.
    package init(
        _ command: [String],
        adding variables: [String: String] = [:],
        withholding prefix: String? = nil,
        in network: SealedNetwork? = nil
    ) throws(SystemError) {
        var identifier: Int32 = 0
        let environment = Self.environment(adding: variables, withholding: prefix)
        func spawn(_ command: [String]) -> Int32 {
            unsafe Self.withPointers(command.map { Array($0.utf8CString) }) { arguments in
                unsafe Self.withPointers(environment) { environment in
                    unsafe network?.spawn(&identifier, arguments, environment)
                        ?? shim_spawn(&identifier, arguments, environment)
                }
            }
        }
        var code = spawn(command)
        // The system cannot execute a script that does not start with "#!", but shells can.
        if code == ENOEXEC { code = spawn(["/bin/sh", "-c", #"exec "$0" "$@""#] + command) }
        guard code == 0 else { throw SystemError(code: code, call: command[0]) }
        self.identifier = identifier
        terminal = JobTerminal(for: identifier)
    }

    /// The variables of this process, byte for byte, except for those that are added or withheld.
    private static func environment(adding variables: [String: String], withholding prefix: String?) -> [[CChar]] {
        var lines = variables.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8CString) }
        var withheld = variables.keys.map { "\($0)=" }
        if let prefix { withheld.append(prefix) }
        let starts = withheld.map { Array($0.utf8CString.dropLast()) }
        guard var next = unsafe shim_environment() else { return lines }
        while let line = unsafe next.pointee {
            let bytes = unsafe Array(UnsafeBufferPointer(start: line, count: strlen(line) + 1))
            if !starts.contains(where: bytes.starts) { lines.append(bytes) }
            unsafe next += 1
        }
        return lines
    }

    private static func withPointers<Result>(
        _ strings: [[CChar]],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = unsafe strings.map { string in unsafe strdup(string) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe body(&pointers)
    }

    /// Sends a signal to all processes of the command, unless it has ended; any thread.
    package func signal(_ number: Int32) {
        hasEnded.withLock { if !$0 { kill(-identifier, number) } }
    }

    /// Waits until the command ends, and then gives the terminal back. If the command is suspended, this process is
    /// suspended too, so that the shell notices. Blocks the calling thread.
    package func waitUntilEnd() -> End {
        var status: Int32 = 0
        while true {
            guard unsafe waitpid(identifier, &status, WUNTRACED) == identifier else {
                if errno == EINTR { continue }
                // Nothing is known about the end, so the command must not count as passed.
                return end(.exited(1))
            }
            switch status & 0x7F {
            case 0: return end(.exited(status >> 8 & 0xFF))
            case 0x7F: stopped(by: status >> 8 & 0xFF)
            case let signal:
                let isInterrupted = signal == SIGINT && terminal?.belongsToCommand == true
                return end(.killed(signal: signal, byTerminal: isInterrupted))
            }
        }
    }

    private func end(_ end: End) -> End {
        hasEnded.withLock { $0 = true }
        terminal?.takeBack()
        return end
    }

    private func stopped(by signal: Int32) {
        switch signal {
        case SIGTTIN, SIGTTOU:
            // As the system ends a suspended job that no shell can continue.
            if terminal?.handOver() == false { self.signal(SIGHUP) }
        case SIGTSTP:
            terminal?.takeBack()
            shim_signal_job(SIGTSTP, true)
        // Another process stopped it on purpose, and will continue it.
        default: return
        }
        self.signal(SIGCONT)
    }

    /// Waits, at most for the given time, until no process of the command is left. Call it after the command has ended.
    /// Blocks the calling thread.
    ///
    /// - Returns: Whether one is left.
    package func othersRemain(for limit: Duration) -> Bool {
        let end = MonotonicTime.now + limit
        while true {
            // In a container, the first process adopts those that the command leaves behind.
            while waitpid(-identifier, nil, WNOHANG) > 0 {}
            guard kill(-identifier, 0) == 0 || errno == EPERM else { return false }
            guard .now < end else { return true }
            _ = poll(nil, 0, Self.pollInterval)
        }
    }
}
