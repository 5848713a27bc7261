// SPDX-License-Identifier: Apache-2.0

internal import RepriseStorage

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file to send, with its path and the size that the message announces.
struct UploadFile: Sendable {
    /// The number of bytes in memory at a time. Reading them blocks a thread for well under a millisecond.
    static let pieceSize = 128 << 10

    let path: String
    let size: Int

    /// Checks that the file can be read, and gets its size.
    ///
    /// - Throws: ``ClientError/Code/file`` with the path if the file is missing, unreadable, or not a regular file.
    init(_ url: URL) throws(ClientError) {
        guard url.isFileURL else {
            throw ClientError(.file, "expected a file URL (file:///…), found \(SecretQuery.quoted(url.absoluteString))")
        }
        path = url.path
        do throws(FileError) {
            size = try StorageFile(path, for: .reading).size
        } catch {
            throw ClientError(unreadable: error)
        }
    }

    struct Reader {
        private let file: UploadFile
        private var opened: (storage: StorageFile, stamp: FileStamp)?
        private var position = 0

        init(_ file: UploadFile) {
            self.file = file
        }

        /// Returns the next piece, or nil at the end.
        ///
        /// - Throws: ``ClientError/Code/file`` as soon as the file has changed, so that a mix of old and new content
        ///   is never sent as a complete message.
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
            // The stamp is read after the piece, so everything that is sent was in the file at the same time.
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
            ? "was modified or replaced while it was being sent"
            : "had \(file.size) bytes when the call was made and has \(stamp.size) now"
        self.init(.file, "the file \(file.path.debugDescription) \(what); make the call again to send its new content")
    }
}
