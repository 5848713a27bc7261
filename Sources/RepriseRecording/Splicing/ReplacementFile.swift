// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseHashing
internal import RepriseStorage
internal import RepriseText

/// A file that is written beside another file and replaces it when it is complete.
struct ReplacementFile {
    private let target: FilePlace
    private let file: StorageFile
    private var pending: [UInt8] = []
    private var hash = SHA256()

    /// Creates a replacement for the file at `path`, or for its target if `path` is a link.
    init(_ path: String) throws(FileError) {
        let place = FilePlace(path)
        target = place.exists ? FilePlace(FixtureFileReader.realPath(of: path)) : place
        let temporary = FilePlace(target.path + ".tmp")
        // Whatever is there, even a link, must not receive the content.
        try temporary.removeFile()
        file = try StorageFile(temporary.path, for: .replacing)
    }

    mutating func write(_ bytes: some Collection<UInt8>) throws(FileError) {
        pending += bytes
        if pending.count >= StorageFile.blockSize { try flush() }
    }

    /// Flushes everything to the disk.
    ///
    /// - Returns: The SHA-256 of the file, in hexadecimal.
    mutating func close() throws(FileError) -> String {
        try flush()
        try file.takePermissions(of: target.path)
        try file.synchronize()
        return hash.hexadecimal
    }

    /// Replaces the other file. The change is durable once the folder is synchronized.
    func commit() throws(FileError) {
        try FilePlace(file.path).move(to: target)
    }

    /// Deletes this file and leaves the other one unchanged.
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
