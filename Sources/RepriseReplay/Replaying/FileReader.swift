// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
internal import RepriseStorage
internal import RepriseText

/// Reads body files piece by piece. The current file stays open.
final class FileReader: Sendable {
    private let open = Locked<StorageFile?>(nil)

    /// The reason that a piece cannot be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the bytes of a part of a file.
    ///
    /// - Throws: ``Failure`` if the bytes can no longer be read.
    func read(_ piece: FileSource) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try open.withLock { open throws(FileError) in
                if open?.path != piece.path { open = try StorageFile(piece.path, for: .reading) }
                return try open?.read(at: piece.offset, count: piece.size) ?? []
            }
        } catch {
            throw Failure(description: "\(piece.path): cannot read the body file: \(error.reason)")
        }
        guard bytes.count == piece.size else {
            throw Failure(
                description: """
                    \(piece.path): expected \(piece.size) bytes at \(piece.offset), found \(bytes.count); \
                    the file changed during the replay
                    """
            )
        }
        return bytes
    }
}
