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
