// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
private import RepriseHashing
private import RepriseStorage
internal import RepriseText

extension ByteSource {
    /// Returns the strong entity tag of these bytes, with its quotes (RFC 9110 section 8.8.3): the first half of their
    /// SHA-256. It is equal for equal bytes, whatever the name and the time of the file.
    func entityTag() throws(FixtureFileReader.Failure) -> String {
        var hash = SHA256()
        switch self {
        case .bytes(let bytes): hash.append(bytes.span)
        case .file(let file):
            do throws(FileError) {
                try file.read { hash.append($0.span) }
            } catch {
                throw .unreadable
            }
        }
        return "\"\(hash.hexadecimal.prefix(32))\""
    }
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
