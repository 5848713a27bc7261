// SPDX-License-Identifier: Apache-2.0

internal import RepriseHashing
internal import RepriseStorage
internal import RepriseText

/// A buffer that keeps bytes in memory up to a limit and moves them to a file beyond that.
struct SpillBuffer {
    /// The number of bytes kept in memory.
    static let limit = 64 * 1024

    /// Opens the file on demand.
    typealias Opening = () throws(RecordingFault) -> StorageFile

    /// The total number of bytes.
    private(set) var count = 0
    /// The file with all bytes except those still in memory; `nil` if all bytes are in memory.
    private(set) var file: StorageFile?
    /// The bytes that are not in the file yet.
    private(set) var memory: [UInt8] = []
    private let isHashed: Bool
    /// Created with the file, since most bodies stay in memory.
    private var hash: SHA256?

    /// - Parameter isHashed: Whether to compute the SHA-256 of the file. The default is `false`.
    init(isHashed: Bool = false) {
        self.isHashed = isHashed
    }

    /// The SHA-256 of the file's content in hexadecimal; `nil` without a file, or if hashing is disabled.
    var fileHash: String? { hash?.hexadecimal }

    mutating func append(_ bytes: [UInt8], file open: Opening) throws(RecordingFault) {
        count += bytes.count
        memory += bytes
        if memory.count > Self.limit { try spill(file: open) }
    }

    /// Moves the bytes back to memory if there are few. The caller removes the file.
    mutating func recall() throws(RecordingFault) {
        guard let file, count <= Self.limit else { return }
        let inFile = try RecordingFault.onDisk { () throws(FileError) in
            try file.read(at: 0, count: count - memory.count)
        }
        memory = inFile + memory
        self.file = nil
        hash = nil
    }

    mutating func spill(file open: Opening) throws(RecordingFault) {
        let file: StorageFile
        if let known = self.file { file = known } else { file = try open() }
        self.file = file
        let slice = memory[...]
        do {
            try file.append(slice.span)
        } catch {
            throw .disk(error)
        }
        if isHashed {
            var hash = self.hash.take() ?? SHA256()
            hash.append(slice.span)
            self.hash = hash
        }
        memory.removeAll(keepingCapacity: true)
    }
}
