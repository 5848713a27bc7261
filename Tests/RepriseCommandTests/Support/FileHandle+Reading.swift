// SPDX-License-Identifier: Apache-2.0

import Foundation

extension FileHandle {
    /// Waits for bytes and returns those that are available, or none at the end.
    ///
    /// Unlike `availableData`, which terminates the process if a signal interrupts it, this method continues. Other
    /// tests raise signals.
    func readSome() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe readBytes(of: fileDescriptor, $0) }
            if count >= 0 { return Array(bytes[..<count]) }
            if errno != EINTR { return [] }
        }
    }
}

/// Calls read(2). Within `FileHandle`, `read` refers to another function.
private func readBytes(of descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
