// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// The file of a private key, read once.
///
/// Anyone who has the key of a certificate authority can impersonate any host to the programs that trust it, so a file
/// that was read as a key, or has the name of an authority's key, is never served.
package struct KeyFile: Sendable {
    /// The name of the file with an authority's key.
    package static let authorityName = "ca-key.pem"

    /// Keys that were read. They stay open, so that no other file gets the inode number of one that is removed.
    private static let known = Locked<[FileStamp.Identity: StorageFile]>([:])
    /// The maximum number of keys that stay open.
    private static let limit = 64

    package let content: [UInt8]
    /// Whether the file belongs to the user of this process, and nobody else may use it.
    package let isPrivate: Bool

    /// Reads the key at `path`.
    package init(_ path: String) throws(FileError) {
        let file = try StorageFile(path, for: .reading)
        isPrivate = try file.isPrivate
        content = try file.read(at: 0, count: file.size)
        let identity = try file.stamp.identity
        Self.known.withLock { known in
            if known.count >= Self.limit, let other = known.keys.first { known[other] = nil }
            known[identity] = file
        }
    }

    /// Whether the file at a path without links is a key.
    package static func isKey(at path: String) -> Bool {
        isKey(path, known.withLock { $0.isEmpty } ? nil : try? FilePlace(path).stamp().identity)
    }

    /// Whether an open file is a key.
    ///
    /// - Parameter name: The name of the file, or its path.
    static func isKey(_ name: String, _ identity: FileStamp.Identity?) -> Bool {
        // Some file systems ignore case.
        if "/\(name)".lowercased().hasSuffix("/\(authorityName)") { return true }
        return identity.map { identity in known.withLock { $0[identity] != nil } } ?? false
    }
}
