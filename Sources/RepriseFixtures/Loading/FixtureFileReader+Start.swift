// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
private import RepriseStorage
internal import RepriseText

extension FixtureFileReader {
    /// The number of bytes of a large document that are checked before the rest is read.
    private static let startSize = 1 << 20
    /// The largest document in another form than JSON: a ZIP archive, or a text in UTF-16.
    private static let maximumSize = 1 << 30

    /// Returns the bytes of a JSON document, or only its start if that is already invalid, however large the file is.
    /// The start is enough for a reader to report the mistake.
    static func document(of path: String) throws(Failure) -> [UInt8] {
        let size = entry(at: path)?.size ?? 0
        guard size > startSize, let start = start(of: path, count: startSize) else { return try bytes(of: path) }
        let isOther = [[0x50, 0x4B], [0xFF, 0xFE], [0xFE, 0xFF]].contains { start.starts(with: $0) }
        let isPossible = isOther ? size <= maximumSize : JSONReader.validity(of: start) != .invalid
        return isPossible ? try bytes(of: path) : start
    }

    /// Returns the first `count` bytes of a file, or all if it has fewer; `nil` if it cannot be read.
    static func start(of path: String, count: Int) -> [UInt8]? {
        try? StorageFile(path, for: .reading).read(at: 0, count: count)
    }
}
