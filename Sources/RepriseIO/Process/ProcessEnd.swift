// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// Ending the process.
public enum ProcessEnd {
    /// Ends the process without running the exit handlers of libraries.
    ///
    /// An exit handler frees what a library uses, such as OpenSSL's algorithms. A thread that works at that moment
    /// would crash. Nothing may be in a buffer of the C library.
    public static func now(status: Int32) -> Never {
        _exit(status)
    }

    /// Ends the process as the terminal's interrupt key does, so that a shell script that runs it ends too.
    ///
    /// - Parameter withGroup: Whether to send the signal to the process group as well.
    package static func byInterrupt(withGroup: Bool) -> Never {
        shim_signal_job(SIGINT, withGroup)
        _exit(128 + SIGINT)
    }
}
