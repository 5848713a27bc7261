// SPDX-License-Identifier: Apache-2.0

/// Entries of exchanges that ended, which are soon written to the log together.
struct HeldLines {
    /// The lines, one after the other.
    private(set) var bytes: [UInt8] = []
    /// The ordinal and the number of bytes of each line.
    private(set) var places: [(ordinal: Int, length: Int)] = []

    /// The number of bytes above which to write the lines without waiting for more.
    static let limit = 64 << 10

    var isEmpty: Bool { places.isEmpty }
    var isFull: Bool { bytes.count > Self.limit }

    /// Adds the line of an entry.
    mutating func append(_ line: [UInt8], ordinal: Int) {
        bytes += line
        places.append((ordinal, line.count))
    }

    /// Removes all lines, and keeps their memory for those that follow.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: !isFull)
        places.removeAll(keepingCapacity: !isFull)
    }

    /// The lines one by one.
    var each: [(ordinal: Int, line: [UInt8])] {
        var offset = 0
        return places.map { place in
            defer { offset += place.length }
            return (place.ordinal, Array(bytes[offset..<offset + place.length]))
        }
    }
}
