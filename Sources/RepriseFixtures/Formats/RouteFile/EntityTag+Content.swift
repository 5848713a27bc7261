// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
private import RepriseHashing
private import RepriseStorage
internal import RepriseText

extension ByteSource {
    /// Returns the strong entity tag of these bytes, with its quotes (RFC 9110 section 8.8.3): the first half of their
    /// SHA-256. It is equal for equal bytes, whatever the name and the time of the file.
    func entityTag() throws(FixtureFileReader.Failure) -> String {
        switch self {
        case .bytes(let bytes):
            return Self.entityTag(SHA256.digest(of: bytes))
        case .file(let file):
            var hash = SHA256()
            do throws(FileError) {
                try file.read { hash.append($0.span) }
            } catch {
                throw .unreadable
            }
            return Self.entityTag(hash.digest)
        }
    }

    /// Returns these bytes. If they are in a file, only its current version may be sent. Call this before
    /// ``entityTag()``, so that a change while the file is read is noticed too.
    func versioned() throws(FixtureFileReader.Failure) -> ByteSource {
        guard case .file(var file) = self else { return self }
        do throws(FileError) { file.version = try FilePlace(file.path).stamp().modified } catch { throw .unreadable }
        return .file(file)
    }

    private static func entityTag(_ digest: [UInt8]) -> String { "\"\(SHA256.hexadecimal(digest.prefix(16)))\"" }
}

extension FileSource {
    /// Passes the bytes on, in pieces.
    fileprivate func read(_ take: ([UInt8]) -> Void) throws(FileError) {
        let file = try StorageFile(path, for: .reading)
        var position = offset
        while position < offset + size {
            let piece = try file.read(at: position, count: min(1 << 18, offset + size - position))
            guard !piece.isEmpty else { return }
            position += piece.count
            take(piece)
        }
    }
}
