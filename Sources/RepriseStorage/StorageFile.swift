// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    private import Darwin
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// An open regular file, closed when its last owner lets go of it.
///
/// Any thread may use it. What is appended goes to the system at once, and so outlives the process, but not the machine
/// before ``synchronize()``.
package final class StorageFile: Sendable {
    /// What a file is opened for.
    package enum Purpose: Sendable {
        /// To read it; it has to be there.
        case reading
        /// To read it and to add to its end; it is made if it is not there.
        case appending
        /// To be written from its start; what is there is dropped.
        case replacing
    }

    /// Where it was when it was opened.
    package let path: String
    private let descriptor: Int32

    /// Opens the file at `path`. Processes that are started later do not inherit it.
    package init(_ path: String, for purpose: Purpose) throws(FileError) {
        self.path = path
        let flags =
            switch purpose {
            case .reading: O_RDONLY
            case .appending: O_RDWR | O_CREAT | O_APPEND
            case .replacing: O_RDWR | O_CREAT | O_TRUNC
            }
        let descriptor = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o666)
        guard descriptor >= 0 else { throw .last("open", path) }
        self.descriptor = descriptor
        // A pipe or a device would swallow what is written.
        let kind = try Self.status(descriptor, path).st_mode & S_IFMT
        guard kind == S_IFREG else {
            throw FileError(code: kind == S_IFDIR ? EISDIR : EINVAL, call: "open", path: path)
        }
    }

    deinit {
        // To close it is not enough: a process that is just being started has a copy for a moment, and with it the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Its size in bytes.
    package var size: Int {
        get throws(FileError) { Int(try Self.status(descriptor, path).st_size) }
    }

    /// What tells it, as it is now, from what may be at its path later.
    package var stamp: FileStamp {
        get throws(FileError) { FileStamp(try Self.status(descriptor, path)) }
    }

    /// Writes `bytes` behind what was written before.
    ///
    /// - Throws: where not all could be written; a part of them may be in the file then.
    package func append(_ bytes: Span<UInt8>) throws(FileError) {
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

    /// The bytes from position `offset` on, `count` of them, or fewer at the end of the file.
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

    /// Cuts the file off after `size` bytes.
    package func truncate(to size: Int) throws(FileError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last("truncate", path) }
    }

    /// Waits until all that was written is on the disk, and would be after a power cut.
    package func synchronize() throws(FileError) {
        #if canImport(Darwin)
            // fsync leaves it in the drive's cache there.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw .last("fsync", path) }
    }

    /// Gives the file the permissions of the one at `other`, if there is one.
    package func takePermissions(of other: String) throws(FileError) {
        var status = stat()
        guard unsafe stat(other, &status) == 0 else { return }
        guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw .last("chmod", path) }
    }

    /// Locks the file (flock) until it is closed, against all others that ask for this, in this process too.
    ///
    /// - Returns: `false` if another has it.
    package func lock() throws(FileError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .last("lock", path) }
        }
        return true
    }

    /// Whether this file is still the one at its path: someone else may have removed or replaced it.
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
