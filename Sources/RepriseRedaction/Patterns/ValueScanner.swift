// SPDX-License-Identifier: Apache-2.0

/// Finds text that looks like a secret, in bytes that arrive in pieces.
struct ValueScanner: Sendable {
    /// The offset of the first byte that the caller must pass again next time. The scanner can read
    /// ``SecretPattern/lookBehind`` bytes before it.
    private(set) var position: Int
    /// The secret that continues at ``position``.
    private(set) var open: SecretPatterns.Follower?
    /// The end of the last secret. Another secret can start there regardless of the preceding bytes.
    private var secretEnd: Int?
    /// The offset that the bytes must reach before an undecided text is scanned again. Scanning after every single
    /// byte would take quadratic time.
    private var retry = 0

    /// Creates a scanner that starts at `position`.
    init(at position: Int = 0) {
        self.position = position
    }

    /// Scans the bytes, starting at offset ``position``.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the body, starting at offset `base`.
    ///   - isLast: Whether these are the last bytes.
    ///   - skipped: Ranges of the body in which no secret starts, in order.
    mutating func scan(
        _ bytes: Span<UInt8>,
        from base: Int,
        isLast: Bool,
        skipping skipped: [Range<Int>] = [],
        patterns: SecretPatterns,
        cuts: inout [Cut]
    ) {
        let end = base + bytes.count
        guard isLast || end >= retry else { return }
        if !follow(bytes, base, patterns, &cuts) { return }
        var next = 0
        while position < end {
            let followsSecret = position == secretEnd
            if !followsSecret {
                while next < skipped.count, skipped[next].upperBound <= position { next += 1 }
                let skip = next < skipped.count ? skipped[next] : end..<end
                if skip.lowerBound <= position {
                    position = skip.upperBound
                    continue
                }
                let part = bytes.extracting(0..<skip.lowerBound - base)
                position = base + patterns.candidate(in: part, from: position - base)
                if position == skip.lowerBound { continue }
            }
            let index = position - base
            let outcome = patterns.outcome(
                in: bytes,
                at: index,
                before: bytes.count,
                isLast: isLast,
                isAtStart: followsSecret
            )
            switch outcome {
            case .none:
                position += 1
            case .undecided:
                let length = end - position
                retry = length < 512 ? 0 : position + 2 * length
                return
            case .secret(let range, let marker):
                let range = base + range.lowerBound..<base + range.upperBound
                cuts.append(Cut(range: range, replacement: .marker(marker)))
                position = range.upperBound
                secretEnd = position
            case .literal(let range):
                let range = base + range.lowerBound..<base + range.upperBound
                cuts.append(Cut(range: range, replacement: .literal))
                position = range.upperBound
            case .open(let follower, let range, let marker):
                let range = base + range.lowerBound..<base + range.upperBound
                cuts.append(Cut(range: range, replacement: .marker(marker)))
                position = range.upperBound
                open = follower
                if !follow(bytes, base, patterns, &cuts) { return }
            }
        }
    }

    /// Continues an open secret. Returns `false` if it has not ended.
    private mutating func follow(
        _ bytes: Span<UInt8>,
        _ base: Int,
        _ patterns: SecretPatterns,
        _ cuts: inout [Cut]
    ) -> Bool {
        guard var follower = open else { return true }
        let start = position
        let stop = patterns.end(of: &follower, in: bytes, from: start - base, before: bytes.count)
        position = stop.map { base + $0 } ?? base + bytes.count
        open = stop == nil ? follower : nil
        secretEnd = position
        if position > start { cuts.append(Cut(range: start..<position, replacement: .restOfSecret)) }
        return stop != nil
    }
}
