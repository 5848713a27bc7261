// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// Settings that a server applies to its whole process at launch.
public enum ProcessLimits {
    /// Raises the limit on open descriptors to the maximum that the system allows the process.
    ///
    /// - Returns: The limit now in effect.
    @discardableResult
    public static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard unsafe shim_limit_get(&limit) == 0 else { return 0 }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        #if canImport(Darwin)
            // Darwin reports "unlimited" but rejects anything above this.
            limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #endif
        if unsafe limit.rlim_cur <= before || shim_limit_set(&limit) != 0 { limit.rlim_cur = before }
        return Int(clamping: limit.rlim_cur)
    }

    /// Ignores SIGPIPE, so that a write to a closed connection or pipe fails with an error instead of ending the
    /// process.
    ///
    /// Event loops do not need this, because their threads block the signal. Call it if other threads write to standard
    /// output or similar streams.
    public static func ignoreBrokenPipe() {
        shim_ignore_broken_pipe()
    }
}
