// SPDX-License-Identifier: Apache-2.0

private import Foundation
internal import RepriseLocking
internal import RepriseText

/// Reads body files piece by piece. The current file stays open.
final class FileReader: Sendable {
    private let open = Locked<(path: String, handle: FileHandle)?>(nil)

    /// The reason that a piece cannot be read.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the bytes of a part of a file.
    ///
    /// - Throws: ``Failure`` if the bytes can no longer be read.
    func read(_ piece: FileSource) throws(Failure) -> [UInt8] {
        do {
            let data = try open.withLock { open -> Data? in
                let handle: FileHandle
                if let open, open.path == piece.path {
                    handle = open.handle
                } else {
                    handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: piece.path))
                    open = (piece.path, handle)
                }
                try handle.seek(toOffset: UInt64(piece.offset))
                return try handle.read(upToCount: piece.size)
            }
            guard let data, data.count == piece.size else {
                throw Failure(
                    description: """
                        \(piece.path): expected \(piece.size) bytes at \(piece.offset), found \(data?.count ?? 0); \
                        the file changed during the replay
                        """
                )
            }
            return Array(data)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "\(piece.path): cannot read the body file: \(error)")
        }
    }
}
