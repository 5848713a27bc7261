// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A regular file that stays open for reading until its last reference is released. Any thread may read it.
public final class ReadOnlyFile: Sendable {
    /// The size of the file in bytes when it was opened.
    public let size: Int
    /// The time of the file's last change when it was opened, in nanoseconds since 1970.
    public let modified: Int64

    let descriptor: Int32
    private let path: String
    private let device: UInt64
    private let number: UInt64

    /// Opens a file.
    ///
    /// - Throws: ``SystemError`` if the file cannot be opened or is not a regular file.
    public init(path: String) throws(SystemError) {
        self.path = path
        let descriptor = unsafe shim_open_for_reading(path)
        guard descriptor >= 0 else { throw SystemError.last("open \(path)") }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let error = SystemError.last("open \(path)")
            closeDescriptor(descriptor)
            throw error
        }
        let kind = Int32(status.st_mode) & Int32(S_IFMT)
        guard kind == Int32(S_IFREG) else {
            closeDescriptor(descriptor)
            throw SystemError(code: kind == Int32(S_IFDIR) ? EISDIR : EINVAL, call: "open \(path)")
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
        modified = Self.modified(status)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// The file's size in bytes now, and the time of its last change in nanoseconds since 1970; nil if the path no
    /// longer names this file, because another one replaced it.
    public var current: (size: Int, modified: Int64)? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, UInt64(truncatingIfNeeded: status.st_dev) == device,
            UInt64(truncatingIfNeeded: status.st_ino) == number
        else { return nil }
        return (Int(status.st_size), Self.modified(status))
    }

    private static func modified(_ status: stat) -> Int64 {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    deinit {
        closeDescriptor(descriptor)
    }

    /// Appends up to `count` bytes, starting at position `offset`, to `bytes`.
    ///
    /// - Returns: The number of bytes read, which is less than `count` only at the end of the file.
    public func read(at offset: Int, into bytes: inout [UInt8], count: Int) throws(SystemError) -> Int {
        precondition(offset >= 0 && count >= 0, "offset and count must not be negative")
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        var total = 0
        defer { bytes.removeLast(count - total) }
        while total < count {
            let got = try unsafe bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
                let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[(start + total)...])
                return try unsafe read(at: offset + total, into: UnsafeMutableRawBufferPointer(rest))
            }
            if got == 0 { break }
            total += got
        }
        return total
    }

    /// Reads up to the buffer's size. Returns 0 at the end of the file.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw SystemError.last("read \(path)") }
        }
    }
}
