// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
private import RepriseStorage
private import RepriseStubs
internal import RepriseText

extension FixtureFileReader {
    /// The number of bytes of a large document that are checked before the rest is read.
    private static let startSize = 1 << 20
    /// The largest document in another form than JSON: a ZIP archive, or a text in UTF-16.
    private static let maximumSize = 1 << 30

    /// Returns the bytes of a JSON document, or only its start if that is already invalid, however large the file is.
    /// The start is enough for a reader to report the mistake.
    ///
    /// - Parameter isLenient: Whether the syntax is that of stub mappings (``LenientJSON``).
    static func document(of path: String, isLenient: Bool = false) throws(Failure) -> [UInt8] {
        let size = entry(at: path)?.size ?? 0
        guard size > startSize, let start = start(of: path, count: startSize) else { return try bytes(of: path) }
        let isOther = [[0x50, 0x4B], [0xFF, 0xFE], [0xFE, 0xFF]].contains { start.starts(with: $0) }
        // The start may end inside a comment.
        let texts = isLenient ? [start, start + "*/".utf8].map { LenientJSON($0).strict } : [start]
        let isPossible =
            isOther ? size <= maximumSize : texts.contains { JSONReader.validity(of: $0) != .invalid }
        return isPossible ? try bytes(of: path) : start
    }

    /// Returns the first `count` bytes of a file, or all if it has fewer; `nil` if it cannot be read.
    static func start(of path: String, count: Int) -> [UInt8]? {
        try? StorageFile(path, for: .reading).read(at: 0, count: count)
    }
}
