// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// What a server sets for its whole process at start.
public enum ProcessLimits {
    /// Raises the number of descriptors that the process may have to what the system allows it.
    ///
    /// - Returns: the number in force afterwards.
    @discardableResult
    public static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard unsafe shim_limit_get(&limit) == 0 else { return 0 }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        #if canImport(Darwin)
            // Darwin says "unlimited" and then refuses more than this.
            limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #endif
        if unsafe limit.rlim_cur <= before || shim_limit_set(&limit) != 0 { limit.rlim_cur = before }
        return Int(clamping: limit.rlim_cur)
    }

    /// Makes a write to a connection or pipe that is gone an error instead of the process's end (SIGPIPE).
    ///
    /// Loops need it not, their threads block the signal; it is for standard output and the like.
    public static func ignoreBrokenPipe() {
        shim_ignore_broken_pipe()
    }
}
