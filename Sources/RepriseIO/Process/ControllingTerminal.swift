// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The terminal that controls this process (POSIX.1-2024, General Terminal Interface).
public enum ControllingTerminal {
    /// Whether the process has a controlling terminal. A terminal that was closed, or whose connection was lost, no
    /// longer controls any process.
    public static var exists: Bool {
        let descriptor = shim_open_terminal()
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}

/// The controlling terminal while a command runs as a job of its own, as a shell runs it: the terminal's signals reach
/// the command, and only the command may read from the terminal.
final class JobTerminal: Sendable {
    private let descriptor: Int32
    private let own = getpgrp()
    private let group: Int32

    /// What to do when the command was stopped.
    enum Action: Equatable {
        /// Give the terminal to the command, and continue it.
        case handOver
        /// Stop as well, until this process is continued.
        case suspend
        /// Nothing, because another process stopped it on purpose, and will continue it.
        case wait
    }

    /// Gives the terminal to a process group if it belongs to this process's group now; nil without a terminal.
    init?(for group: Int32) {
        descriptor = shim_open_terminal()
        self.group = group
        guard descriptor >= 0 else { return nil }
        handOver()
    }

    deinit { close(descriptor) }

    private var foreground: Int32 { tcgetpgrp(descriptor) }

    /// Whether the terminal's signals reach the command.
    var belongsToCommand: Bool { foreground == group }

    func handOver() {
        if foreground == own { _ = shim_set_foreground(descriptor, group) }
    }

    func takeBack() {
        if foreground == group { _ = shim_set_foreground(descriptor, own) }
    }

    /// - Parameters:
    ///   - signal: The signal that stopped the command.
    ///   - mayRead: Whether the terminal belongs to the command or to this process, so that the command may have it.
    static func action(stoppedBy signal: Int32, mayRead: Bool) -> Action {
        switch signal {
        case SIGTTIN, SIGTTOU: mayRead ? .handOver : .suspend
        case SIGTSTP: .suspend
        default: .wait
        }
    }

    func action(stoppedBy signal: Int32) -> Action {
        Self.action(stoppedBy: signal, mayRead: [own, group].contains(foreground))
    }
}
