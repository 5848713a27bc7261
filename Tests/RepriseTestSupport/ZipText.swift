// SPDX-License-Identifier: Apache-2.0

/// The bytes of a ZIP archive for a test.
public struct ZipText {
    /// How a file is packed. Deflated files have one block without compression (RFC 1951 section 3.2.4).
    public enum Method: Int, Sendable {
        case stored = 0
        case deflated = 8
    }

    /// The archive.
    public private(set) var bytes: [UInt8] = []

    /// Creates an archive with the given files.
    ///
    /// - Parameter size: The size to declare for each file in place of its own.
    public init(_ files: [(name: String, content: [UInt8], method: Method)], size: Int? = nil) {
        var directory: [UInt8] = []
        for file in files {
            let count = file.content.count
            let block = [1] + Self.number(count, 2) + Self.number(~count & 0xFFFF, 2) + file.content
            let packed = file.method == .stored ? file.content : block
            let name = Array(file.name.utf8)
            let fields =
                Self.number(20, 2) + Self.number(0, 2) + Self.number(file.method.rawValue, 2) + Self.number(0, 4)
                + Self.number(Self.checksum(file.content), 4) + Self.number(packed.count, 4)
                + Self.number(size ?? count, 4) + Self.number(name.count, 2) + Self.number(0, 2)
            directory += Array("PK\u{1}\u{2}".utf8) + Self.number(20, 2) + fields + Self.number(0, 10)
            directory += Self.number(bytes.count, 4) + name
            bytes += Array("PK\u{3}\u{4}".utf8) + fields + name + packed
        }
        let start = bytes.count
        bytes += directory + Array("PK\u{5}\u{6}".utf8) + Self.number(0, 4) + Self.number(files.count, 2)
        bytes +=
            Self.number(files.count, 2) + Self.number(directory.count, 4) + Self.number(start, 4) + Self.number(0, 2)
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    }

    /// The CRC-32 of `bytes`.
    private static func checksum(_ bytes: [UInt8]) -> Int {
        var value: UInt32 = ~0
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return Int(~value)
    }
}
