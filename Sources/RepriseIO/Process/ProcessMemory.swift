// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The memory of this process.
public enum ProcessMemory {
    /// Returns freed memory to the system. The C library of Linux keeps most of it otherwise.
    ///
    /// Call it after freeing much memory, and not on a loop: it can take tens of milliseconds.
    public static func returnUnused() {
        shim_trim_memory()
    }

    /// Removes the pages of code from the memory of the process, on Linux. Code that runs again is mapped again, from
    /// the system's cache of the file.
    ///
    /// Much code runs only while a process starts. Call it once after that.
    public static func forgetStartCode() {
        shim_unmap_code()
    }
}
