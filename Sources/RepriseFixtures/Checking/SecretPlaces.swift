// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// Finds the positions in a file of the secrets that were found in its content.
struct SecretPlaces {
    /// The minimum length of a secret to search for. Shorter texts can occur by chance.
    static let minimumLength = 6

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

    /// Returns the position of a secret at or after `location`. Returns `location` if the secret is not in the file or is
    /// spelled differently there, and `nil` if all of its positions were already returned.
    ///
    /// - Parameter isFile: Whether the body in which the secret was found is the file itself.
    mutating func next(_ secret: SecretFinding, from location: FilePosition, isFile: Bool = false) -> FilePosition? {
        if lines.isEmpty { lines = Self.lines(of: bytes) }
        var place = location
        let start = location.line <= lines.count ? lines[location.line - 1] : 0
        let known = isFile ? secret.offset.map { [min($0, bytes.count)] } : nil
        let offsets = known ?? offsets(of: secret, from: start)
        if let new = offsets.first(where: { returnedOffsets.insert($0).inserted }) {
            place = self.location(of: new)
        } else if !offsets.isEmpty {
            return nil
        }
        guard returnedLines.insert(place.line).inserted || !skipsReturnedLines else { return nil }
        returnedCount += 1
        return place
    }

    /// Returns the offsets of a secret: behind the text of its line or, if that is spelled differently, wherever the
    /// secret occurs. A short one must be a whole string.
    private func offsets(of secret: SecretFinding, from start: Int) -> [Int] {
        let quoted = [UInt8(ascii: "\"")] + secret.bytes + [UInt8(ascii: "\"")]
        // In a HAR file, the name of a header field is elsewhere.
        let value = Array(secret.context.drop { $0 != UInt8(ascii: ":") }.dropFirst().drop { $0 == 0x20 })
        let isLong = secret.bytes.count >= Self.minimumLength
        let spellings = [
            (secret.context + secret.bytes, secret.context.count), (value + secret.bytes, value.count),
            isLong ? (secret.bytes, 0) : (quoted, 1),
        ]
        for (text, skipped) in spellings where text.count >= Self.minimumLength || skipped > 0 {
            var offsets: [Int] = []
            var index = start
            while offsets.count <= FixtureProblems.limitOfFile, let found = find(text, from: index) {
                offsets.append(found + skipped)
                index = found + 1
            }
            if !offsets.isEmpty { return offsets }
        }
        return []
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
