// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Identifies a version of a file by its identity, size, and modification time. Different files, and the same file
/// after a change, have different stamps.
///
/// Two writes within one tick of the file system's clock that keep the same size have the same stamp.
package struct FileStamp: Sendable, Hashable {
    /// The size in bytes.
    package let size: Int
    package let identity: Identity
    private let seconds: Int64
    private let nanoseconds: Int64

    /// Identifies a file while it exists.
    package struct Identity: Sendable, Hashable {
        let device: UInt64
        let number: UInt64
    }

    /// The modification time in nanoseconds since 1970.
    package var modified: Int64 { seconds * 1_000_000_000 + nanoseconds }

    /// The stamp as text: hexadecimal numbers with hyphens between them. Without the device, whose number can change
    /// when it is mounted again.
    package var text: String {
        [UInt64(size), identity.number, UInt64(bitPattern: seconds), UInt64(bitPattern: nanoseconds)]
            .map { String($0, radix: 16) }.joined(separator: "-")
    }

    init(_ status: stat) {
        size = Int(status.st_size)
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino)
        )
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = Int64(time.tv_sec)
        nanoseconds = Int64(time.tv_nsec)
    }
}

extension FilePlace {
    /// Returns the stamp of the current file at the path. Follows links.
    package func stamp() throws(FileError) -> FileStamp {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last("stat", path) }
        return FileStamp(status)
    }
}
