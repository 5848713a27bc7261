// SPDX-License-Identifier: Apache-2.0

/// Finds secrets that come in parts, in the same place of one record of a stream after the other: a model that writes out a
/// key sends `{"t":"sk-ab…"}` and then `{"t":"…cd"}`.
///
/// The texts at a path are read as if they were one. What a text ends with that may be the start of a secret is held back
/// until the next text at that path, for some 64 KiB of the body at most.
struct RecordTexts: Sendable {
    /// So much of a text is looked at.
    static let maximumLength = 64 << 10
    private static let maximumTails = 64

    /// What the last text at a path ended with.
    private struct Tail {
        /// The bytes, and some before them.
        var text: [UInt8] = []
        /// Where in `text` the secret may start.
        var index = 0
        /// Where the bytes from there on are in the body.
        var parts: [Range<Int>] = []
        /// For a secret that was known to be one when the text ended.
        var follower: SecretPatterns.Follower?
        /// Where it starts in the body, or where it has come.
        var position: Int
    }

    private var tails: [JSONPathTracker.Path: Tail] = [:]

    /// What lies before is decided as far as it depends on this.
    var decided: Int {
        tails.values.lazy.filter { $0.follower == nil }.map(\.position).min() ?? .max
    }

    /// Forgets what was held back for too long when the body has come to `position`.
    mutating func forget(at position: Int) {
        guard !tails.isEmpty else { return }
        tails = tails.filter { Self.counts($0.value, at: position) }
    }

    /// Forgets what the text at `path` ended with: something else follows.
    mutating func interrupt(_ path: JSONPathTracker.Path) {
        if !tails.isEmpty { tails[path] = nil }
    }

    /// It depends on places in the body alone, never on how the body came.
    private static func counts(_ tail: Tail, at position: Int) -> Bool {
        tail.position >= (position & ~0xFFFF) - maximumLength
    }

    /// Takes the next text at its path.
    ///
    /// - Parameter bytes: the bytes of the body from `base` on.
    mutating func take(
        _ text: JSONText,
        of bytes: Span<UInt8>,
        from base: Int,
        patterns: SecretPatterns,
        cuts: inout [Cut]
    ) {
        let isWhole = text.range.count <= Self.maximumLength
        let end = text.range.lowerBound + min(text.range.count, Self.maximumLength)
        let content = bytes.extracting(text.range.lowerBound - base..<end - base)
        var tail = tails.isEmpty ? nil : tails.removeValue(forKey: text.path)
        if let old = tail, !Self.counts(old, at: text.range.lowerBound) { tail = nil }
        let next: Tail?
        if var tail, tail.follower != nil, !Self.startsSecret(content, patterns) {
            next = Self.follow(&tail, content, at: text.range.lowerBound, patterns, &cuts)
        } else if let tail, tail.follower == nil {
            next = Self.join(tail, content, at: text.range.lowerBound, patterns, &cuts)
        } else {
            next = Self.rest(of: content, from: 0, at: text.range.lowerBound, patterns)
        }
        guard isWhole, let next else { return }
        if tails.count >= Self.maximumTails, let oldest = tails.min(by: { $0.value.position < $1.value.position }) {
            tails[oldest.key] = nil
        }
        tails[text.path] = next
    }

    private static func startsSecret(_ content: Span<UInt8>, _ patterns: SecretPatterns) -> Bool {
        guard !content.isEmpty else { return false }
        switch patterns.outcome(in: content, at: 0, before: content.count, isLast: true) {
        case .secret, .open: return true
        case .none, .undecided: return false
        }
    }

    /// Cuts what belongs to a secret of the texts before.
    private static func follow(
        _ tail: inout Tail,
        _ content: Span<UInt8>,
        at start: Int,
        _ patterns: SecretPatterns,
        _ cuts: inout [Cut]
    ) -> Tail? {
        guard var follower = tail.follower else { return nil }
        let end = patterns.end(of: &follower, in: content, from: 0, before: content.count)
        let count = end ?? content.count
        if count > 0 { cuts.append(Cut(range: start..<start + count, replacement: .restInLaterRecord)) }
        guard end != nil else { return Tail(follower: follower, position: start + count) }
        return rest(of: content, from: count, at: start, patterns)
    }

    /// Reads what the texts before ended with and `content` as one.
    private static func join(
        _ tail: Tail,
        _ content: Span<UInt8>,
        at start: Int,
        _ patterns: SecretPatterns,
        _ cuts: inout [Cut]
    ) -> Tail? {
        var text = tail.text
        for index in content.indices { text.append(content[index]) }
        var scanner = ValueScanner(at: tail.index)
        var found: [Cut] = []
        let slice = text[...]
        scanner.scan(slice.span, from: 0, isLast: false, patterns: patterns, cuts: &found)
        let parts = tail.parts + [start..<start + content.count]
        var isAcross = false
        for cut in found {
            // What starts in `content` is found there without this.
            if cut.replacement != .restOfSecret { isAcross = cut.range.lowerBound < tail.text.count }
            guard isAcross else { continue }
            append(cut.replacement, to: Self.parts(parts, cut.range, after: tail.index), &cuts)
        }
        if let follower = scanner.open { return Tail(follower: follower, position: start + content.count) }
        guard scanner.position < text.count else { return nil }
        return pending(
            text,
            at: scanner.position,
            parts: Self.parts(parts, scanner.position..<text.count, after: tail.index)
        )
    }

    /// Where those bytes of a text are in the body of which `parts` have those from `index` on.
    private static func parts(_ parts: [Range<Int>], _ range: Range<Int>, after index: Int) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = index
        for part in parts {
            let overlap = range.clamped(to: start..<start + part.count)
            if !overlap.isEmpty {
                let first = part.lowerBound + overlap.lowerBound - start
                found.append(first..<first + overlap.count)
            }
            start += part.count
        }
        return found
    }

    private static func append(_ replacement: Cut.Replacement, to parts: [Range<Int>], _ cuts: inout [Cut]) {
        var replacement = replacement == .restOfSecret ? .restInLaterRecord : replacement
        for part in parts {
            cuts.append(Cut(range: part, replacement: replacement))
            replacement = .restInLaterRecord
        }
    }

    private static func pending(_ text: [UInt8], at index: Int, parts: [Range<Int>]) -> Tail? {
        guard let position = parts.first?.lowerBound else { return nil }
        let first = max(0, index - SecretPattern.lookBehind)
        return Tail(text: Array(text[first...]), index: index - first, parts: parts, position: position)
    }

    /// What `content` ends with that may go on in the next text.
    private static func rest(
        of content: Span<UInt8>,
        from index: Int,
        at start: Int,
        _ patterns: SecretPatterns
    ) -> Tail? {
        var scanner = ValueScanner(at: index)
        var found: [Cut] = []
        scanner.scan(content, from: 0, isLast: false, patterns: patterns, cuts: &found)
        if let follower = scanner.open { return Tail(follower: follower, position: start + content.count) }
        guard scanner.position < content.count else { return nil }
        let first = max(0, scanner.position - SecretPattern.lookBehind)
        var text: [UInt8] = []
        for index in first..<content.count { text.append(content[index]) }
        return pending(text, at: scanner.position - first, parts: [start + scanner.position..<start + content.count])
    }
}
