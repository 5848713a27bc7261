// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A set of patterns, indexed so that it can be matched at every byte.
struct SecretPatterns: Sendable {
    private(set) var patterns: [SecretPattern] = []
    /// One bit for each pair of bytes that starts a pattern.
    private var pairs = [UInt8](repeating: 0, count: 1 << 13)
    /// One bit for each hash of three bytes that start a pattern.
    private var triples = [UInt8](repeating: 0, count: 1 << 13)
    private var byFirstByte = [[Start]](repeating: [], count: 256)

    /// A pattern with its second and third byte. They rule out most patterns before one is looked at.
    private struct Start {
        var number: Int
        var second: UInt8
        var third: UInt8
    }
    /// Texts that look like secrets and are allowed.
    private var allowed: Set<[UInt8]> = []
    private var longestAllowed = 0

    /// Creates a set of `patterns` and private keys. The first matching pattern applies.
    init(_ patterns: [SecretPattern]) {
        addStart(PrivateKey.start)
        for start in LiteralMarker.starts { addStart(start) }
        for pattern in patterns { add(pattern) }
    }

    /// Adds a pattern after the others.
    mutating func add(_ pattern: SecretPattern) {
        addStart(pattern.prefix)
        let start = Start(number: patterns.count, second: pattern.prefix[1], third: pattern.prefix[2])
        byFirstByte[Int(pattern.prefix[0])].append(start)
        patterns.append(pattern)
    }

    /// Adds a pattern that takes precedence over the others.
    mutating func addFirst(_ pattern: SecretPattern) {
        add(pattern)
        let first = Int(pattern.prefix[0])
        byFirstByte[first].insert(byFirstByte[first].removeLast(), at: 0)
    }

    /// Returns the patterns whose form no other texts have, or private keys only.
    func distinctive(privateKeysOnly: Bool) -> SecretPatterns {
        var distinctive = SecretPatterns(privateKeysOnly ? [] : patterns.filter { $0.kind != nil })
        (distinctive.allowed, distinctive.longestAllowed) = (allowed, longestAllowed)
        return distinctive
    }

    /// Returns what a secret with these first bytes is; `nil` if its form does not tell.
    func kind(ofSecret start: [UInt8]) -> String? {
        if start.starts(with: PrivateKey.start) { return "a private key" }
        return patterns.last { start.starts(with: $0.prefix) && $0.kind != nil }?.kind
    }

    mutating func allow(_ text: String) {
        allowed.insert(Array(text.utf8))
        longestAllowed = max(longestAllowed, text.utf8.count)
    }

    private mutating func addStart(_ prefix: [UInt8]) {
        let pair = Int(prefix[0]) | Int(prefix[1]) << 8
        pairs[pair >> 3] |= 1 << UInt8(pair & 7)
        let triple = Self.triple(prefix[0], prefix[1], prefix[2])
        triples[triple >> 3] |= 1 << UInt8(triple & 7)
    }

    // MARK: Finding

    /// Returns the first index at or after `start` at which a secret can start. The last two bytes cannot be ruled out
    /// and count as a possible start.
    func candidate(in bytes: Span<UInt8>, from start: Int) -> Int {
        let pairs = pairs[...]
        let triples = triples[...]
        return Self.candidate(in: bytes, from: start, pairs.span, triples.span)
    }

    private static func candidate(
        in bytes: Span<UInt8>,
        from start: Int,
        _ pairs: Span<UInt8>,
        _ triples: Span<UInt8>
    ) -> Int {
        var index = start
        // The first two bytes rule out most positions, eight at a time. The third byte and the preceding byte rule
        // out most others.
        while index &+ 10 <= bytes.count {
            var found = found(bytes.word(at: index), bytes[index &+ 8], pairs)
            while found != 0 {
                let place = index &+ found.trailingZeroBitCount
                if mayStart(bytes, at: place, triples) { return place }
                found &= found &- 1
            }
            index &+= 8
        }
        while index &+ 2 < bytes.count {
            if mayStart(bytes, at: index, triples) { return index }
            index &+= 1
        }
        return index
    }

    /// Whether no secret starts in `range`, whatever follows the bytes.
    func areRuledOut(in bytes: Span<UInt8>, startingIn range: Range<Int>) -> Bool {
        // The candidates in the range do not depend on more than the next two bytes.
        let part = bytes.extracting(0..<min(range.upperBound + 2, bytes.count))
        var index = candidate(in: part, from: range.lowerBound)
        while index < range.upperBound {
            guard case .none = outcome(in: bytes, at: index, before: bytes.count, isLast: false) else { return false }
            index = candidate(in: part, from: index + 1)
        }
        return true
    }

    /// Returns one bit for each of the eight bytes of `word`. The bit is set if the byte and the one after it are the
    /// first two bytes of a pattern.
    @inline(__always)
    private static func found(_ word: UInt64, _ next: UInt8, _ pairs: Span<UInt8>) -> UInt32 {
        let low =
            bit(word, pairs) | bit(word >> 8, pairs) << 1 | bit(word >> 16, pairs) << 2 | bit(word >> 24, pairs) << 3
        let high =
            bit(word >> 32, pairs) << 4 | bit(word >> 40, pairs) << 5 | bit(word >> 48, pairs) << 6
            | bit(word >> 56 | UInt64(next) << 8, pairs) << 7
        return low | high
    }

    @inline(__always)
    private static func bit(_ pair: UInt64, _ pairs: Span<UInt8>) -> UInt32 {
        UInt32(pairs[Int(pair >> 3 & 0x1FFF)]) >> UInt32(truncatingIfNeeded: pair & 7) & 1
    }

    /// Whether the three bytes at `index` start a pattern and no letter or digit precedes them, except as part of an
    /// escape.
    @inline(__always)
    private static func mayStart(_ bytes: Span<UInt8>, at index: Int, _ triples: Span<UInt8>) -> Bool {
        let triple = triple(bytes[index], bytes[index &+ 1], bytes[index &+ 2])
        guard triples[triple >> 3] >> UInt8(triple & 7) & 1 != 0 else { return false }
        // A private key and a marker can follow a letter.
        return bytes[index] == PrivateKey.first || LiteralMarker.mayStart(bytes[index])
            || SecretPattern.isAtStart(index, in: bytes)
    }

    @inline(__always)
    private static func triple(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
        (((Int(first) | Int(second) << 8 | Int(third) << 16) &* 0x9E37_79B1) >> 16) & 0xFFFF
    }

    /// A secret, or a text that can become one.
    enum Outcome {
        case none
        case undecided
        case secret(Range<Int>, marker: Int)
        /// A text that looks like a marker.
        case literal(Range<Int>)
        /// A secret that has not ended in the range.
        case open(Follower, Range<Int>, marker: Int)
    }

    /// Matches the bytes starting at `start`. Those before `end` are available.
    ///
    /// - Parameters:
    ///   - isLast: Whether the bytes before `end` are the last ones.
    ///   - isAtStart: Whether a secret can start there regardless of the preceding bytes.
    func outcome(
        in bytes: Span<UInt8>,
        at start: Int,
        before end: Int,
        isLast: Bool,
        isAtStart: Bool = false
    ) -> Outcome {
        if bytes[start] == PrivateKey.start[0] {
            let outcome = PrivateKey.outcome(in: bytes, at: start, before: end, isLast: isLast)
            if case .none = outcome {} else { return outcome }
        }
        if LiteralMarker.mayStart(bytes[start]) {
            return LiteralMarker.outcome(in: bytes, at: start, before: end, isLast: isLast)
        }
        guard isAtStart || SecretPattern.isAtStart(start, in: bytes) else { return .none }
        let second = start + 1 < end ? bytes[start + 1] : nil
        let third = start + 2 < end ? bytes[start + 2] : nil
        for candidate in byFirstByte[Int(bytes[start])] {
            if let second, candidate.second != second { continue }
            if let third, candidate.third != third { continue }
            let number = candidate.number
            let pattern = patterns[number]
            guard isAtStart || start == 0 || !pattern.notAfter.contains(bytes[start - 1]) else { continue }
            switch pattern.outcome(in: bytes, at: start, before: end, isLast: isLast) {
            case .none: continue
            case .undecided: return .undecided
            case .secret(let stop):
                let range = pattern.secretStart(in: bytes, from: start, before: stop)..<stop
                if !isAllowed(bytes, range), range.lowerBound == start || !Self.isPlaceholder(bytes, range) {
                    return .secret(range, marker: pattern.marker)
                }
            case .open(let progress, let stop):
                // Whether a text is allowed is known only at its end.
                let first = pattern.secretStart(in: bytes, from: start, before: stop)
                let longest = max(longestAllowed, first > start ? MessageText.judgedLength : 0)
                if !isLast, end - first <= longest { return .undecided }
                return .open(.pattern(number, progress), first..<stop, marker: pattern.marker)
            }
        }
        return .none
    }

    /// Whether the value of a parameter is only a placeholder: `api_key=YOUR_API_KEY`.
    private static func isPlaceholder(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.count <= MessageText.judgedLength
            && MessageText.judge(bytes.extracting(range), isWhole: true) == .message
    }

    private func isAllowed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count <= longestAllowed else { return false }
        var text: [UInt8] = []
        for index in range { text.append(bytes[index]) }
        return allowed.contains(text)
    }

    /// Follows a secret that had not ended at the end of the bytes.
    enum Follower: Sendable, Hashable {
        case pattern(Int, SecretPattern.Progress)
        case privateKey(PrivateKey)
    }

    /// Returns the end of the secret that continues at `start`, or `nil` if it does not end before `end`.
    func end(of follower: inout Follower, in bytes: Span<UInt8>, from start: Int, before end: Int) -> Int? {
        switch follower {
        case .pattern(let number, var progress):
            let stop = patterns[number].end(of: &progress, in: bytes, from: start, before: end)
            follower = .pattern(number, progress)
            return stop
        case .privateKey(var key):
            let stop = key.end(in: bytes, from: start, before: end)
            follower = .privateKey(key)
            return stop
        }
    }
}
