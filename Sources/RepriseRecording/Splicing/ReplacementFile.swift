// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseHashing
internal import RepriseStorage
internal import RepriseText

/// A file that is written beside another and takes its place when it is whole.
struct ReplacementFile {
    private let target: FilePlace
    private let file: StorageFile
    private var pending: [UInt8] = []
    private var hash = SHA256()

    /// How many bytes are written at a time.
    private static let blockSize = 64 * 1024

    /// A file to take the place of the one at `path`, of the one that it leads to if that is a link.
    init(_ path: String) throws(FileError) {
        let place = FilePlace(path)
        target = place.exists ? FilePlace(FixtureFileReader.realPath(of: path)) : place
        file = try StorageFile(target.path + ".tmp", for: .replacing)
    }

    /// Adds bytes.
    mutating func write(_ bytes: some Collection<UInt8>) throws(FileError) {
        pending += bytes
        if pending.count >= Self.blockSize { try flush() }
    }

    /// Puts all on the disk.
    ///
    /// - Returns: The SHA-256 of the file, in hexadecimal.
    mutating func close() throws(FileError) -> String {
        try flush()
        try file.takePermissions(of: target.path)
        try file.synchronize()
        return hash.hexadecimal
    }

    /// Puts it in the other's place. That is on the disk when the folder is.
    func commit() throws(FileError) {
        try FilePlace(file.path).move(to: target)
    }

    /// Leaves the other as it is.
    func discard() {
        _ = try? FilePlace(file.path).removeFile()
    }

    private mutating func flush() throws(FileError) {
        let slice = pending[...]
        try file.append(slice.span)
        hash.append(slice.span)
        pending.removeAll(keepingCapacity: true)
    }
}
