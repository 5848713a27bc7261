// SPDX-License-Identifier: Apache-2.0

internal import RepriseStorage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file that is to be sent, by its place and by the size that the message announces.
struct UploadFile: Sendable {
    /// So many bytes are in memory at a time: reading them holds a thread up for well under a millisecond.
    static let pieceSize = 128 << 10

    let path: String
    let size: Int

    /// Looks whether the file can be read and how large it is.
    ///
    /// - Throws: ``ClientError/Code/file`` with its path if it is missing, may not be read or is no regular file.
    init(_ url: URL) throws(ClientError) {
        guard url.isFileURL else {
            throw ClientError(.file, "\(SecretQuery.quoted(url.absoluteString)) is no file URL: expected file:///…")
        }
        path = url.path
        do throws(FileError) {
            size = try StorageFile(path, for: .reading).size
        } catch {
            throw ClientError(unreadable: error)
        }
    }

    /// Reads the file from its start to its end.
    struct Reader {
        private let file: UploadFile
        private var opened: (storage: StorageFile, stamp: FileStamp)?
        private var position = 0

        init(_ file: UploadFile) {
            self.file = file
        }

        /// The next piece; nil at the end.
        ///
        /// - Throws: ``ClientError/Code/file`` as soon as the file is not as it was: half of the old content and half of
        ///   the new is neither.
        mutating func next() throws(ClientError) -> [UInt8]? {
            if opened != nil, position == file.size { return nil }
            let piece: [UInt8]
            let now: FileStamp
            do throws(FileError) {
                (piece, now) = try read()
            } catch {
                throw ClientError(unreadable: error)
            }
            guard now == opened?.stamp, now.size == file.size, piece.count == pieceSize else {
                throw ClientError(changed: file, to: now)
            }
            position += piece.count
            return piece.isEmpty ? nil : piece
        }

        private var pieceSize: Int { min(UploadFile.pieceSize, file.size - position) }

        private mutating func read() throws(FileError) -> ([UInt8], FileStamp) {
            let storage = if let opened { opened.storage } else { try open() }
            let piece = try storage.read(at: position, count: pieceSize)
            // Looked at after the piece was read: what is sent was in the file at one time.
            return (piece, try FilePlace(file.path).stamp())
        }

        private mutating func open() throws(FileError) -> StorageFile {
            let storage = try StorageFile(file.path, for: .reading)
            opened = (storage, try storage.stamp)
            return storage
        }
    }
}

extension ClientError {
    fileprivate init(unreadable error: FileError) {
        self.init(
            .file,
            "the file \(error.path.debugDescription) cannot be sent: \(error.call): \(error.reason)",
            underlying: error
        )
    }

    fileprivate init(changed file: UploadFile, to stamp: FileStamp) {
        let what =
            stamp.size == file.size
            ? "was written or replaced while it was sent"
            : "had \(file.size) bytes when the call was made and has \(stamp.size) now"
        self.init(.file, "the file \(file.path.debugDescription) \(what): make the call again to send what is there")
    }
}
