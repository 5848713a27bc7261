// SPDX-License-Identifier: Apache-2.0

/// Bytes in memory, or in a file that is read during playback.
public enum ByteSource: Sendable, Hashable {
    case bytes([UInt8])
    case file(FileSource)

    /// The number of bytes.
    public var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.size
        }
    }

    /// The bytes in `range`, which is within `0..<count`.
    package func part(_ range: Range<Int>) -> ByteSource {
        guard range != 0..<count else { return self }
        switch self {
        case .bytes(let bytes):
            return .bytes(Array(bytes[range]))
        case .file(let file):
            let offset = file.offset + range.lowerBound
            return .file(FileSource(path: file.path, name: file.name, offset: offset, size: range.count))
        }
    }
}

/// A file that contains a body, or the part of a body that is played as one chunk.
public struct FileSource: Sendable, Hashable {
    /// The path of the file on this machine.
    public var path: String
    /// The file's name in the cassette, relative to the cassette's `.bodies` folder; `nil` for a route file.
    public var name: String?
    /// The offset of the first byte in the file.
    public var offset: Int
    /// The number of bytes. The file had at least this many after `offset` when the fixtures were loaded.
    public var size: Int
    /// The time of the file's last change, in nanoseconds since 1970, if only this version may be sent; otherwise
    /// `nil`.
    public var version: Int64?

    /// Creates a source of `size` bytes, starting at `offset`, in the file at `path`.
    public init(path: String, name: String? = nil, offset: Int = 0, size: Int) {
        self.path = path
        self.name = name
        self.offset = offset
        self.size = size
    }
}
