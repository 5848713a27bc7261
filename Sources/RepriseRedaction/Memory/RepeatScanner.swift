// SPDX-License-Identifier: Apache-2.0

/// Finds text in a body that was redacted as a secret earlier in this process.
struct RepeatScanner: Sendable {
    private let memory: SecretMemory
    /// The offset of the first byte that the caller must pass again next time. The scanner can read
    /// ``SecretPattern/lookBehind`` bytes before it.
    private(set) var position = 0

    init(_ memory: SecretMemory) {
        self.memory = memory
    }

    /// Returns the cuts for the secrets in a whole body, or in a whole record of a stream, in which some characters are
    /// escaped.
    func cuts(inEscapes bytes: Span<UInt8>) -> [Cut] {
        memory.table?.cuts(inEscapes: bytes) ?? []
    }

    /// Scans the bytes, starting at offset ``position``.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the body, starting at offset `base`.
    ///   - isLast: Whether these are the last bytes.
    ///   - cuts: The cuts so far, in order. Secrets in them are not found again.
    mutating func scan(_ bytes: Span<UInt8>, from base: Int, isLast: Bool, cuts: inout [Cut]) {
        let end = base + bytes.count
        guard let table = memory.table else {
            position = end
            return
        }
        let limit = isLast ? end : base + table.undecided(in: bytes, from: position - base)
        let known = cuts.count
        var next = 0
        while let match = table.next(in: bytes, from: position - base, before: limit - base) {
            let extent = match.extent(in: bytes, from: position - base)
            let range = base + extent.lowerBound..<base + extent.upperBound
            position = range.upperBound
            while next < known, cuts[next].range.upperBound < range.upperBound { next += 1 }
            if next < known, cuts[next].range.lowerBound <= range.lowerBound { continue }
            cuts.append(Cut(range: range, replacement: .remembered(match.secret)))
        }
        position = max(position, limit)
    }
}
