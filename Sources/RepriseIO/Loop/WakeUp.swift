// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The channel through which other threads wake a loop: an eventfd on Linux, a pipe elsewhere.
struct WakeUp: ~Copyable, Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(SystemError) {
        var ends: (Int32, Int32) = (-1, -1)
        let code = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
            unsafe shim_wake_open(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard code == 0 else { throw SystemError.last("eventfd") }
        (readEnd, writeEnd) = ends
    }

    deinit {
        closeDescriptor(readEnd)
        if writeEnd != readEnd { closeDescriptor(writeEnd) }
    }

    /// Wakes the loop; any thread.
    func signal() {
        shim_wake_signal(writeEnd)
    }

    /// Clears all pending signals; loop thread only.
    func clear() {
        shim_wake_clear(readEnd)
    }
}
