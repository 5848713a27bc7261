// SPDX-License-Identifier: Apache-2.0

/// Finds what looks like a secret, in bytes that come piece by piece.
struct ValueScanner: Sendable {
    /// The first byte that it has to see again; it may look at ``SecretPattern/lookBehind`` bytes before.
    private(set) var position: Int
    /// A secret that goes on at ``position``.
    private(set) var open: SecretPatterns.Follower?
    /// Where the last secret ended: another may start there, whatever stands before.
    private var secretEnd: Int?
    /// What is undecided is looked at again when the bytes reach so far: what grows by one byte at a time would otherwise
    /// cost its square.
    private var retry = 0

    /// A scanner of what starts at `position`.
    init(at position: Int = 0) {
        self.position = position
    }

    /// Looks at all bytes from ``position`` on.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the body from `base` on.
    ///   - isLast: whether nothing follows.
    mutating func scan(
        _ bytes: Span<UInt8>,
        from base: Int,
        isLast: Bool,
        patterns: SecretPatterns,
        cuts: inout [Cut]
    ) {
        let end = base + bytes.count
        guard isLast || end >= retry else { return }
        if !follow(bytes, base, patterns, &cuts) { return }
        while position < end {
            let isBehindSecret = position == secretEnd
            let index = isBehindSecret ? position - base : patterns.candidate(in: bytes, from: position - base)
            position = base + index
            let outcome = patterns.outcome(
                in: bytes,
                at: index,
                before: bytes.count,
                isLast: isLast,
                isAtStart: isBehindSecret
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
            case .open(let follower, let range, let marker):
                let range = base + range.lowerBound..<base + range.upperBound
                cuts.append(Cut(range: range, replacement: .marker(marker)))
                position = range.upperBound
                open = follower
                if !follow(bytes, base, patterns, &cuts) { return }
            }
        }
    }

    /// Goes on with an open secret; `false` if it has not ended.
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
