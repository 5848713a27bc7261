// SPDX-License-Identifier: Apache-2.0

/// The entries of finished exchanges, which are held until they are written to the log together.
struct BufferedLogLines {
    private(set) var bytes: [UInt8] = []
    /// The ordinal and the number of bytes of each line.
    private(set) var places: [(ordinal: Int, length: Int)] = []

    /// The number of bytes above which the lines are written without waiting for more.
    static let limit = 64 << 10

    var isEmpty: Bool { places.isEmpty }
    var isFull: Bool { bytes.count > Self.limit }

    /// Adds an entry's line, which `append` writes to the end of the given bytes.
    mutating func append(ordinal: Int, _ append: (inout [UInt8]) -> Void) {
        let start = bytes.count
        append(&bytes)
        places.append((ordinal, bytes.count - start))
    }

    /// Removes all lines. Keeps their memory for later lines, unless it is large.
    mutating func removeAll() {
        let isSmall = !isFull
        bytes.removeAll(keepingCapacity: isSmall)
        places.removeAll(keepingCapacity: isSmall)
    }

    var each: [(ordinal: Int, line: [UInt8])] {
        var offset = 0
        return places.map { place in
            defer { offset += place.length }
            return (place.ordinal, Array(bytes[offset..<offset + place.length]))
        }
    }
}
