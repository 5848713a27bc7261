// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds secrets that are split across successive records of a stream. For example, a language model that outputs a key
/// sends `{"t":"sk-ab…"}` and then `{"t":"…cd"}`.
///
/// Successive texts at the same path are read as one text. If a text ends with what can be the start of a secret, that
/// end is held back until the next text at the path arrives, but for at most about 64 KiB of the body. Each text that
/// contained a part of a secret gets a marker: if it became empty, the texts before and after it would be read as one.
///
/// Texts that together are a JSON object are also searched for values whose names are those of secrets.
struct RecordTexts: Sendable {
    /// The number of bytes of a text that are scanned.
    static let maximumLength = 64 << 10
    private static let maximumTails = 64

    /// The undecided end of the last texts at a path.
    private struct Tail {
        /// The undecided bytes, with some context before them.
        var text: [UInt8] = []
        /// The index in `text` at which the secret can start.
        var index = 0
        /// The ranges in the body of the bytes from that index on.
        var parts: [Range<Int>] = []
        /// For a secret that was identified before its text ended: the follower and the marker.
        var follower: (SecretPatterns.Follower, marker: Int)?
        /// The offset in the body at which the secret starts, or up to which it was followed.
        var position: Int
        /// The number of undecided bytes at the last scan. Long tails are scanned again only when their size has
        /// doubled, because scanning after every small part would take quadratic time.
        var seen = 0

        var isDue: Bool { text.count - index >= (seen < 512 ? 0 : 2 * seen) }
    }

    private var tails: [JSONPathTracker.Path: Tail] = [:]
    /// The objects that have begun and not ended.
    private var objects: [JSONPathTracker.Path: SplitObject] = [:]
    /// The number of bytes that were scanned again. It is limited to a small multiple of the bytes received.
    private(set) var repeatedCount = 0

    /// Whether no text so far can continue as part of a secret in the next text.
    var isEmpty: Bool { tails.isEmpty && objects.isEmpty }

    /// The offset before which these texts have no undecided secrets.
    var decided: Int {
        let tail = tails.values.lazy.filter { $0.follower == nil }.map(\.position).min() ?? .max
        return min(tail, objects.values.lazy.map(\.decided).min() ?? .max)
    }

    /// Drops tails that were held back for too long when the body has reached `position`, and all tails at the end.
    mutating func forget(at position: Int, isLast: Bool, patterns: SecretPatterns, cuts: inout [Cut]) {
        for (path, object) in objects where isLast || !Self.counts(object.oldest, at: position) {
            endObject(object, at: path, &cuts)
        }
        guard !tails.isEmpty else { return }
        for (path, tail) in tails where isLast || !Self.counts(tail.position, at: position) {
            tails[path] = nil
            Self.decide(tail, patterns, &cuts)
        }
    }

    /// Drops the tail at `path`, because the next text there does not directly continue it.
    mutating func interrupt(_ path: JSONPathTracker.Path, patterns: SecretPatterns, cuts: inout [Cut]) {
        if !objects.isEmpty, let object = objects[path] { endObject(object, at: path, &cuts) }
        guard !tails.isEmpty, let tail = tails.removeValue(forKey: path) else { return }
        Self.decide(tail, patterns, &cuts)
    }

    /// Whether a text at `start` is recent enough to be continued at `position`. The result depends only on offsets in
    /// the body, not on how the body is split into pieces.
    private static func counts(_ start: Int, at position: Int) -> Bool {
        start >= (position & ~0xFFFF) - maximumLength
    }

    private mutating func endObject(_ object: SplitObject, at path: JSONPathTracker.Path, _ cuts: inout [Cut]) {
        var object = object
        object.end(&cuts)
        objects[path] = nil
    }

    /// Reads the next text at its path if it starts or continues an object.
    private mutating func readObject(
        _ content: Span<UInt8>,
        at start: Int,
        isWhole: Bool,
        _ path: JSONPathTracker.Path,
        _ names: SecretNames,
        _ cuts: inout [Cut]
    ) {
        guard !objects.isEmpty || SplitObject.canStart(content) else { return }
        if let old = objects[path], !Self.counts(old.oldest, at: start) { endObject(old, at: path, &cuts) }
        guard var object = objects.removeValue(forKey: path) ?? (SplitObject.canStart(content) ? SplitObject() : nil)
        else { return }
        object.read(content, at: start, names, &cuts)
        if !isWhole { object.end(&cuts) }
        guard !object.hasEnded else { return }
        if objects.count >= Self.maximumTails, let oldest = objects.min(by: { $0.value.position < $1.value.position }) {
            endObject(oldest.value, at: oldest.key, &cuts)
        }
        objects[path] = object
    }

    /// Takes the next text at its path.
    ///
    /// - Parameter bytes: The bytes of the body, starting at offset `base`.
    mutating func take(
        _ text: JSONStringValue,
        of bytes: Span<UInt8>,
        from base: Int,
        patterns: SecretPatterns,
        names: SecretNames,
        cuts: inout [Cut]
    ) {
        let isWhole = text.range.count <= Self.maximumLength
        let start = text.range.lowerBound
        let end = start + min(text.range.count, Self.maximumLength)
        let content = bytes.extracting(start - base..<end - base)
        readObject(content, at: start, isWhole: isWhole, text.path, names, &cuts)
        var tail = tails.isEmpty ? nil : tails.removeValue(forKey: text.path)
        if let old = tail, !Self.counts(old.position, at: start) {
            Self.decide(old, patterns, &cuts)
            tail = nil
        }
        let next: Tail?
        if let tail, let follower = tail.follower, !Self.startsSecret(content, patterns) {
            next = Self.follow(follower, content, at: start, patterns, &cuts)
        } else if var old = tail, old.follower == nil {
            tail = nil
            next = Self.join(&old, content, at: start, isLast: !isWhole, patterns, &cuts, &repeatedCount)
        } else {
            next = Self.rest(of: content, from: 0, at: start, patterns)
        }
        guard isWhole, let next else { return }
        if tails.count >= Self.maximumTails, let oldest = tails.min(by: { $0.value.position < $1.value.position }) {
            tails[oldest.key] = nil
            Self.decide(oldest.value, patterns, &cuts)
        }
        tails[text.path] = next
    }

    /// Decides a tail whose scan was deferred, because nothing follows it.
    private static func decide(_ tail: Tail, _ patterns: SecretPatterns, _ cuts: inout [Cut]) {
        guard tail.follower == nil, !tail.isDue else { return }
        _ = find(in: tail, patterns, &cuts)
    }

    private static func startsSecret(_ content: Span<UInt8>, _ patterns: SecretPatterns) -> Bool {
        guard !content.isEmpty else { return false }
        switch patterns.outcome(in: content, at: 0, before: content.count, isLast: true) {
        case .secret, .open: return true
        case .none, .undecided, .literal: return false
        }
    }

    /// Cuts the rest of a secret that started in the previous texts.
    private static func follow(
        _ secret: (follower: SecretPatterns.Follower, marker: Int),
        _ content: Span<UInt8>,
        at start: Int,
        _ patterns: SecretPatterns,
        _ cuts: inout [Cut]
    ) -> Tail? {
        var follower = secret.follower
        let end = patterns.end(of: &follower, in: content, from: 0, before: content.count)
        let count = end ?? content.count
        if count > 0 { cuts.append(Cut(range: start..<start + count, replacement: .marker(secret.marker))) }
        guard end != nil else { return Tail(follower: (follower, secret.marker), position: start + count) }
        return rest(of: content, from: count, at: start, patterns)
    }

    /// Scans the end of the previous texts and `content` as one text.
    private static func join(
        _ tail: inout Tail,
        _ content: Span<UInt8>,
        at start: Int,
        isLast: Bool,
        _ patterns: SecretPatterns,
        _ cuts: inout [Cut],
        _ repeatedCount: inout Int
    ) -> Tail? {
        guard !content.isEmpty else { return tail }
        for index in content.indices { tail.text.append(content[index]) }
        tail.parts.append(start..<start + content.count)
        guard tail.isDue || isLast else { return tail }
        repeatedCount += tail.text.count
        return find(in: tail, patterns, &cuts)
    }

    /// Finds secrets that start in one text and end in another. Returns the part that is still undecided.
    private static func find(in tail: Tail, _ patterns: SecretPatterns, _ cuts: inout [Cut]) -> Tail? {
        let text = tail.text
        var scanner = ValueScanner(at: tail.index)
        var found: [Cut] = []
        let slice = text[...]
        scanner.scan(slice.span, from: 0, isLast: false, patterns: patterns, cuts: &found)
        let secrets = found.joined()
        for secret in secrets {
            let parts = parts(tail.parts, secret.range, after: tail.index)
            // A secret within a single text is found elsewhere.
            guard parts.count > 1 else { continue }
            for part in parts { cuts.append(Cut(range: part, replacement: secret.replacement)) }
        }
        if let follower = scanner.open {
            let end = tail.parts.last?.upperBound ?? tail.position
            return Tail(follower: (follower, marker(secrets)), position: end)
        }
        guard scanner.position < text.count else { return nil }
        return pending(
            text,
            at: scanner.position,
            parts: Self.parts(tail.parts, scanner.position..<text.count, after: tail.index)
        )
    }

    /// The marker of the last secret.
    private static func marker(_ cuts: [Cut]) -> Int {
        for cut in cuts.reversed() { if case .marker(let marker) = cut.replacement { return marker } }
        return 0
    }

    /// Returns the ranges in the body for `range` of a text. The bytes of the text starting at `index` are at `parts`.
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

    private static func pending(_ text: [UInt8], at index: Int, parts: [Range<Int>]) -> Tail? {
        guard let position = parts.first?.lowerBound else { return nil }
        let first = max(0, index - SecretPattern.lookBehind)
        return Tail(
            text: first == 0 ? text : Array(text[first...]),
            index: index - first,
            parts: parts,
            position: position,
            seen: text.count - index
        )
    }

    /// Returns the end of `content` that can continue in the next text.
    private static func rest(
        of content: Span<UInt8>,
        from index: Int,
        at start: Int,
        _ patterns: SecretPatterns
    ) -> Tail? {
        var scanner = ValueScanner(at: index)
        var found: [Cut] = []
        scanner.scan(content, from: 0, isLast: false, patterns: patterns, cuts: &found)
        if let follower = scanner.open {
            return Tail(follower: (follower, marker(found)), position: start + content.count)
        }
        guard scanner.position < content.count else { return nil }
        let first = max(0, scanner.position - SecretPattern.lookBehind)
        var text: [UInt8] = []
        for index in first..<content.count { text.append(content[index]) }
        return pending(text, at: scanner.position - first, parts: [start + scanner.position..<start + content.count])
    }
}
