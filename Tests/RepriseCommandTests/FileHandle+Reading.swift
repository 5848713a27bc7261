// SPDX-License-Identifier: Apache-2.0

import Foundation

extension FileHandle {
    /// What is there, once something is; empty at the end.
    ///
    /// Unlike `availableData`, which ends the process then, it goes on after a signal, and other tests raise some.
    func readSome() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe readBytes(of: fileDescriptor, $0) }
            if count >= 0 { return Array(bytes[..<count]) }
            if errno != EINTR { return [] }
        }
    }
}

/// read(2), which inside of `FileHandle` is another function's name.
private func readBytes(of descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
