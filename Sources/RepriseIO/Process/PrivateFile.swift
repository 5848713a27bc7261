// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// Files that only their owner may read, such as private keys.
public enum PrivateFile {
    /// Creates a file with permissions that never allow access to anyone but the owner.
    ///
    /// - Throws: ``SystemError`` if a file of that name already exists or the file cannot be written. A partly
    ///   written file is removed.
    public static func create(path: String, _ bytes: [UInt8]) throws(SystemError) {
        let descriptor = unsafe shim_create_private(path)
        guard descriptor >= 0 else { throw SystemError.last("create \(path)") }
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor, path)
            guard fsync(descriptor) == 0 else { throw SystemError.last("write \(path)") }
        } catch {
            closeDescriptor(descriptor)
            unsafe _ = unlink(path)
            throw error
        }
        closeDescriptor(descriptor)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw SystemError.last("write \(path)")
            }
        }
    }
}
