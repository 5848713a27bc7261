// SPDX-License-Identifier: Apache-2.0

internal import RepriseHashing
internal import RepriseStorage
internal import RepriseText

/// Bytes that are kept in memory while they are few, and go into a file from then on.
struct SpillBuffer {
    /// How many bytes are kept in memory.
    static let limit = 64 * 1024

    /// Opens the file when it is needed.
    typealias Opening = () throws(RecordingFault) -> StorageFile

    /// How many bytes there are.
    private(set) var count = 0
    /// The file that holds all but what is still in memory; `nil` where that is all.
    private(set) var file: StorageFile?
    /// What is in no file yet.
    private(set) var memory: [UInt8] = []
    private var hash: SHA256?

    /// An empty buffer.
    ///
    /// - Parameter isHashed: whether the file's SHA-256 is asked for.
    init(isHashed: Bool = false) {
        if isHashed { hash = SHA256() }
    }

    /// The SHA-256 of what is in the file, in hexadecimal; `nil` if it was not to be asked for.
    var fileHash: String? { hash?.hexadecimal }

    /// Adds bytes.
    mutating func append(_ bytes: [UInt8], file open: Opening) throws(RecordingFault) {
        count += bytes.count
        memory += bytes
        if memory.count > Self.limit { try spill(file: open) }
    }

    /// Puts what is in memory into the file too.
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
        hash?.append(slice.span)
        memory.removeAll(keepingCapacity: true)
    }
}
