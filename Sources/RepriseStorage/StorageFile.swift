// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import Darwin
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// An open regular file that is closed when its last reference is released.
///
/// It can be used from any thread. Appended data is passed to the system immediately, so it survives the end of the
/// process. It survives a system crash only after ``synchronize()``.
package final class StorageFile: Sendable {
    /// The purpose of opening a file.
    package enum Purpose: Sendable {
        /// Reads the file, which must exist.
        case reading
        /// Reads the file and appends to it. The file is created if it does not exist.
        case appending
        /// Reads the file and writes any part of it. The file is created if it does not exist.
        case updating
        /// Writes the file from its start. Existing content is discarded.
        case replacing
        /// Writes a new file. Nothing may be at the path, not even a link.
        case creating
    }

    /// The path at which the file was opened.
    package let path: String
    private let descriptor: Int32

    /// Opens the file at `path`. Child processes do not inherit it.
    package init(_ path: String, for purpose: Purpose) throws(FileError) {
        self.path = path
        let flags =
            switch purpose {
            case .reading: O_RDONLY
            case .appending: O_RDWR | O_CREAT | O_APPEND
            case .updating: O_RDWR | O_CREAT
            case .replacing: O_RDWR | O_CREAT | O_TRUNC
            case .creating: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
            }
        let descriptor = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw .last("open", path) }
        self.descriptor = descriptor
        // A pipe or a device would lose the written data.
        let kind = try Self.status(descriptor, path).st_mode & S_IFMT
        guard kind == S_IFREG else {
            throw FileError(code: kind == S_IFDIR ? EISDIR : EINVAL, call: "open", path: path)
        }
    }

    deinit {
        // Closing is not enough: a process that is just being started briefly has a copy of the descriptor, which
        // holds the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The size in bytes.
    package var size: Int {
        get throws(FileError) { Int(try Self.status(descriptor, path).st_size) }
    }

    /// The stamp of the open file, to compare with the file at its path later.
    package var stamp: FileStamp {
        get throws(FileError) { FileStamp(try Self.status(descriptor, path)) }
    }

    /// Whether the file belongs to the user of this process, and nobody else may read or write it.
    var isPrivate: Bool {
        get throws(FileError) {
            let status = try Self.status(descriptor, path)
            return status.st_uid == geteuid() && status.st_mode & 0o077 == 0
        }
    }

    /// Returns the whole content of the file at `path`.
    package static func content(of path: String) throws(FileError) -> [UInt8] {
        let file = try StorageFile(path, for: .reading)
        return try file.read(at: 0, count: file.size)
    }

    /// Calls `body` with the content, block by block.
    package func forEachBlock(_ body: ([UInt8]) throws(FileError) -> Void) throws(FileError) {
        var offset = 0
        while case let block = try read(at: offset, count: Self.blockSize), !block.isEmpty {
            try body(block)
            offset += block.count
        }
    }

    /// The number of bytes to read at a time.
    package static let blockSize = 64 * 1024

    /// Appends `bytes` to the file.
    ///
    /// - Throws: ``FileError`` if not all bytes could be written. The file may then contain some of them.
    package func append(_ bytes: Span<UInt8>) throws(FileError) {
        try Self.writeAll(bytes, to: descriptor, path)
    }

    /// Writes all of `bytes` to an open file, FIFO, or device.
    static func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32, _ path: String) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count > 0 {
                rest = rest.extracting(count...)
            } else if count == 0 || errno != EINTR {
                throw .last("write", path)
            }
        }
    }

    /// Writes `bytes` at `offset`. The file must not have been opened for ``Purpose/appending``.
    ///
    /// - Throws: ``FileError`` if not all bytes could be written. The file may then contain some of them.
    package func update(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
        precondition(offset >= 0, "a part of a file")
        var rest = bytes
        var offset = offset
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            }
            if count > 0 {
                rest = rest.extracting(count...)
                offset += count
            } else if count == 0 || errno != EINTR {
                throw .last("write", path)
            }
        }
    }

    /// Returns up to `count` bytes, starting at `offset`. Returns fewer at the end of the file.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        precondition(offset >= 0 && count >= 0, "a part of a file")
        var bytes = [UInt8](repeating: 0, count: count)
        var total = 0
        while total < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[total...])
                return unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + total))
            }
            if got == 0 { break }
            if got > 0 {
                total += got
            } else if errno != EINTR {
                throw .last("read", path)
            }
        }
        bytes.removeLast(count - total)
        return bytes
    }

    /// Truncates the file to `size` bytes.
    package func truncate(to size: Int) throws(FileError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last("truncate", path) }
    }

    /// Waits until all written data is on the disk and would survive a power failure.
    package func synchronize() throws(FileError) {
        #if canImport(Darwin)
            // On Apple's systems, fsync leaves the data in the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
    }

    /// Copies the permissions of the file at `other`, if it exists.
    package func takePermissions(of other: String) throws(FileError) {
        var status = stat()
        guard unsafe stat(other, &status) == 0 else { return }
        guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw .last("chmod", path) }
    }

    /// Locks the file with flock until it is closed. The lock excludes all other callers of this method, including
    /// those in this process.
    ///
    /// - Returns: `false` if the file is already locked.
    package func lock() throws(FileError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .last("lock", path) }
        }
        return true
    }

    /// Whether this file is still the one at its path. Another process may have removed or replaced it.
    package var isInPlace: Bool {
        var there = stat()
        guard unsafe stat(path, &there) == 0, let own = try? Self.status(descriptor, path) else { return false }
        return there.st_dev == own.st_dev && there.st_ino == own.st_ino
    }

    private static func status(_ descriptor: Int32, _ path: String) throws(FileError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last("stat", path) }
        return status
    }
}
