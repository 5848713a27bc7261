// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the positions in a file of the secrets that were found in its content.
struct SecretPlaces {
    /// The minimum length of a secret to search for. Shorter texts can occur by chance.
    private static let minimumLength = 6

    private let bytes: [UInt8]
    /// The offsets of the line starts, computed on demand.
    private var lines: [Int] = []
    private var returnedOffsets: Set<Int> = []
    private var returnedLines: Set<Int> = []
    /// The number of positions returned.
    private(set) var returnedCount = 0
    /// Whether to skip lines for which a position was already returned.
    var skipsReturnedLines = false

    /// Creates a search in `bytes`.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the position of a secret that starts with `secret`, at or after `location`. Returns `location` if the
    /// secret is not in the file or is spelled differently there, and `nil` if all of its positions were already
    /// returned.
    mutating func next(_ secret: [UInt8], from location: FilePosition) -> FilePosition? {
        if lines.isEmpty { lines = Self.lines(of: bytes) }
        var place = location
        if secret.count >= Self.minimumLength {
            var start = location.line <= lines.count ? lines[location.line - 1] : 0
            var isKnown = false
            while let found = find(secret, from: start) {
                start = found + 1
                guard returnedOffsets.insert(found).inserted else {
                    isKnown = true
                    continue
                }
                place = self.location(of: found)
                isKnown = false
                break
            }
            if isKnown { return nil }
        }
        guard returnedLines.insert(place.line).inserted || !skipsReturnedLines else { return nil }
        returnedCount += 1
        return place
    }

    private func find(_ secret: [UInt8], from start: Int) -> Int? {
        let bytes = bytes[...]
        return Self.find(secret, in: bytes.span, from: start)
    }

    private static func find(_ secret: [UInt8], in bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index + secret.count <= bytes.count {
            var length = 0
            while length < secret.count, bytes[index + length] == secret[length] { length += 1 }
            if length == secret.count { return index }
            index += 1
        }
        return nil
    }

    private func location(of offset: Int) -> FilePosition {
        let line = lines.lastIndex { $0 <= offset } ?? 0
        let place = JSONPlace(offset: offset, line: line + 1, lineStart: lines[line])
        return FilePosition(place, in: bytes)
    }

    private static func lines(of bytes: [UInt8]) -> [Int] {
        var lines = [0]
        for (index, byte) in bytes.enumerated() where byte == 0x0A || byte == 0x0D {
            // In CR LF, only the LF ends the line.
            if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
            lines.append(index + 1)
        }
        return lines
    }
}
