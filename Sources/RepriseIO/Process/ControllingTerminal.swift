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

/// The controlling terminal while a command runs as a job of its own. Until the command asks for the terminal, it
/// belongs to the group of this process, which may be a pipeline whose other processes use it.
final class JobTerminal: Sendable {
    private let descriptor: Int32
    private let own = getpgrp()
    private let group: Int32

    /// - Parameter group: The process group of the command.
    /// - Returns: Nil if there is no terminal.
    init?(for group: Int32) {
        descriptor = shim_open_terminal()
        self.group = group
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Whether the terminal's signals reach the command.
    var belongsToCommand: Bool { tcgetpgrp(descriptor) == group }

    /// Gives the terminal to the command, which was stopped because it asked. If a shell has the terminal, this process
    /// and its group are suspended until they may have it.
    ///
    /// - Returns: Whether the command has the terminal; false if no shell can continue the group.
    func handOver() -> Bool { belongsToCommand || shim_set_foreground(descriptor, group, true) == 0 }

    func takeBack() {
        if belongsToCommand { _ = shim_set_foreground(descriptor, own, false) }
    }
}
