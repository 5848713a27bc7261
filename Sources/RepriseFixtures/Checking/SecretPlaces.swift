// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// Finds the positions in a file of the secrets that were found in its content.
struct SecretPlaces {
    /// The minimum length of a secret to search for. Shorter texts can occur by chance.
    static let minimumLength = 6

    private let bytes: [UInt8]
    private lazy var places = TextPlaces(bytes)
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
        var place = location
        let start = places.start(ofLine: location.line) ?? 0
        let known = isFile ? secret.offset.map { [min($0, bytes.count)] } : nil
        let offsets = known ?? offsets(of: secret, from: start)
        if let new = offsets.first(where: { returnedOffsets.insert($0).inserted }) {
            place = places.position(of: new)
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
            while offsets.count <= FixtureProblems.limitOfFile,
                let found = ByteSearch.firstIndex(of: text, in: bytes[...], from: index)
            {
                offsets.append(found + skipped)
                index = found + 1
            }
            if !offsets.isEmpty { return offsets }
        }
        return []
    }
}
