// SPDX-License-Identifier: Apache-2.0

/// Bytes in memory, or in a file that is read when it is played.
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
}

/// A file that holds a body, or the part of one that is played as a chunk.
public struct FileSource: Sendable, Hashable {
    /// Where it is on this machine.
    public var path: String
    /// Its name as a cassette spells it, relative to the cassette's `.bodies` folder; `nil` for a route file.
    public var name: String?
    /// Where in the file the bytes start.
    public var offset: Int
    /// The number of bytes: what the file had from `offset` on when the fixtures were loaded, or less.
    public var size: Int

    /// The `size` bytes from `offset` on of the file at `path`.
    public init(path: String, name: String? = nil, offset: Int = 0, size: Int) {
        self.path = path
        self.name = name
        self.offset = offset
        self.size = size
    }
}
