// SPDX-License-Identifier: Apache-2.0

/// What secrets look like, prepared to be looked for at every byte.
struct SecretPatterns: Sendable {
    private(set) var patterns: [SecretPattern] = []
    /// A bit for each pair of bytes that some pattern starts with.
    private var pairs = [UInt8](repeating: 0, count: 1 << 13)
    /// The patterns that start with a byte.
    private var byFirstByte = [[Int]](repeating: [], count: 256)
    /// What is no secret, though it looks like one.
    private var allowed: Set<[UInt8]> = []
    private var longestAllowed = 0

    /// The private keys, and `patterns`, of which the first that fits counts.
    init(_ patterns: [SecretPattern]) {
        addStart(PrivateKey.start)
        for pattern in patterns { add(pattern) }
    }

    /// Adds a pattern behind the others.
    mutating func add(_ pattern: SecretPattern) {
        addStart(pattern.prefix)
        byFirstByte[Int(pattern.prefix[0])].append(patterns.count)
        patterns.append(pattern)
    }

    /// Adds a pattern that counts before the others.
    mutating func addFirst(_ pattern: SecretPattern) {
        add(pattern)
        let first = Int(pattern.prefix[0])
        byFirstByte[first].insert(byFirstByte[first].removeLast(), at: 0)
    }

    /// Lets `text` stay.
    mutating func allow(_ text: String) {
        allowed.insert(Array(text.utf8))
        longestAllowed = max(longestAllowed, text.utf8.count)
    }

    private mutating func addStart(_ prefix: [UInt8]) {
        let pair = Int(prefix[0]) | Int(prefix[1]) << 8
        pairs[pair >> 3] |= 1 << UInt8(pair & 7)
    }

    // MARK: Finding

    /// The first index from `start` on at which two bytes stand that a pattern starts with, or the last one: what follows it
    /// is not there yet.
    func candidate(in bytes: Span<UInt8>, from start: Int) -> Int {
        let pairs = pairs[...]
        return Self.candidate(in: bytes, from: start, pairs.span)
    }

    private static func candidate(in bytes: Span<UInt8>, from start: Int, _ pairs: Span<UInt8>) -> Int {
        var index = start
        while index &+ 9 <= bytes.count {
            let word = bytes.word(at: index)
            let last = word >> 56 | UInt64(bytes[index &+ 8]) << 8
            let found =
                bit(word & 0xFFFF, pairs) | bit(word >> 8 & 0xFFFF, pairs) | bit(word >> 16 & 0xFFFF, pairs)
                | bit(word >> 24 & 0xFFFF, pairs) | bit(word >> 32 & 0xFFFF, pairs) | bit(word >> 40 & 0xFFFF, pairs)
                | bit(word >> 48, pairs) | bit(last, pairs)
            if found & 1 != 0 { break }
            index &+= 8
        }
        while index &+ 1 < bytes.count {
            if bit(UInt64(bytes[index]) | UInt64(bytes[index &+ 1]) << 8, pairs) & 1 != 0 { return index }
            index &+= 1
        }
        return index
    }

    @inline(__always)
    private static func bit(_ pair: UInt64, _ pairs: Span<UInt8>) -> UInt8 {
        pairs[Int(pair >> 3)] >> UInt8(truncatingIfNeeded: pair & 7)
    }

    /// A secret, or what could be one.
    enum Outcome {
        case none
        case undecided
        case secret(end: Int, marker: Int)
        /// A secret for sure, which did not end before the index.
        case open(Follower, at: Int, marker: Int)
    }

    /// What starts at `start`, of which the bytes before `end` are there.
    func outcome(in bytes: Span<UInt8>, at start: Int, before end: Int, isLast: Bool) -> Outcome {
        if bytes[start] == PrivateKey.start[0] {
            let outcome = PrivateKey.outcome(in: bytes, at: start, before: end, isLast: isLast)
            if case .none = outcome {} else { return outcome }
        }
        for number in byFirstByte[Int(bytes[start])] {
            let pattern = patterns[number]
            guard pattern.mayStart(at: start, in: bytes) else { continue }
            switch pattern.outcome(in: bytes, at: start, before: end, isLast: isLast) {
            case .none: continue
            case .undecided: return .undecided
            case .secret(let stop):
                if !isAllowed(bytes, start..<stop) { return .secret(end: stop, marker: pattern.marker) }
            case .open(let progress, let stop):
                // What is allowed is known when it ended.
                if !isLast, end - start <= longestAllowed { return .undecided }
                return .open(.pattern(number, progress), at: stop, marker: pattern.marker)
            }
        }
        return .none
    }

    private func isAllowed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count <= longestAllowed else { return false }
        var text: [UInt8] = []
        for index in range { text.append(bytes[index]) }
        return allowed.contains(text)
    }

    /// Follows a secret that did not end where the bytes did.
    enum Follower: Sendable, Hashable {
        case pattern(Int, SecretPattern.Progress)
        case privateKey(PrivateKey)
    }

    /// Where the secret ends that goes on at `start`; `nil` if that is not before `end`.
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
