// SPDX-License-Identifier: Apache-2.0

/// The pieces of a body that are held back until their redaction is decided.
///
/// The text that replaces a secret depends on its whole value, so the pieces that contain it are held until it ends. Of
/// a long secret, the first bytes identify it (``SecretMemory/identity(of:)``).
struct HeldPieces: Sendable {
    private var pieces: [[UInt8]] = []
    /// The index of the first held piece.
    private var head = 0
    /// The offset of that piece in the body.
    private var start = 0
    /// The offset of the next piece.
    private(set) var end = 0
    var cuts: [Cut] = []
    /// The offsets in the body and the first bytes of the redacted secrets, if requested.
    var secrets: [(offset: Int, bytes: [UInt8])]?
    /// The offset before which all secrets are in the memory.
    private var remembered = 0
    /// The end of the last text that looked like a secret and was kept.
    private var keptEnd = 0

    mutating func append(_ piece: [UInt8]) {
        pieces.append(piece)
        end += piece.count
    }

    /// Adds the secrets that end before `decided` to the memory, so that they are found in the pieces.
    mutating func remember(upTo decided: Int, isLast: Bool, _ replacement: SecretReplacement) {
        guard replacement.standIns != nil, !cuts.isEmpty else { return }
        cuts.normalize()
        var place = Place(piece: head, offset: start)
        for index in cuts.indices where cuts[index].range.lowerBound >= remembered {
            guard case .marker = cuts[index].replacement else { continue }
            let range = secret(at: index)
            guard isLast || isComplete(range, upTo: decided) else { return }
            _ = text(for: range, cuts[index], replacement, from: &place)
            remembered = range.upperBound
        }
    }

    /// Returns the pieces that end at or before `decided`, with the cuts applied, and the number of secrets in them.
    ///
    /// Cuts added later must not start before `decided`, unless they continue one of the current cuts.
    mutating func release(
        upTo decided: Int,
        isLast: Bool,
        _ replacement: SecretReplacement
    ) -> (pieces: [[UInt8]], count: Int) {
        var output: [[UInt8]] = []
        var count = 0
        cuts.normalize()
        let limit = isLast ? end : endOfComplete(upTo: decided, replacement)
        while head < pieces.count, start + pieces[head].count <= limit {
            let range = start..<start + pieces[head].count
            if let first = cuts.first, first.range.lowerBound < range.upperBound {
                output.append(cut(pieces[head], range, replacement, &count))
            } else {
                output.append(pieces[head])
            }
            pieces[head] = []
            head += 1
            start = range.upperBound
        }
        if head == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 1024, head * 2 > pieces.count {
            pieces.removeFirst(head)
            head = 0
        }
        return (output, count)
    }

    // MARK: Secrets

    /// Returns the offset of the first secret that can continue, or `decided` if there is none.
    private func endOfComplete(upTo decided: Int, _ replacement: SecretReplacement) -> Int {
        // Markers without numbers don't depend on the value.
        guard replacement.standIns != nil else { return decided }
        for index in cuts.indices.reversed() where cuts[index].replacement != .restOfSecret {
            let range = secret(at: index)
            if range.lowerBound < decided, !isComplete(range, upTo: decided) { return range.lowerBound }
            // Only the last secret can continue, and those that start after the decided bytes.
            if range.lowerBound < decided { break }
        }
        return decided
    }

    private func isComplete(_ secret: Range<Int>, upTo decided: Int) -> Bool {
        secret.upperBound < decided || secret.count >= readLength(of: secret)
    }

    /// The number of bytes of a long secret that its replacement depends on: those that identify it, after the name of
    /// a scheme, or those of the longest web token.
    private func readLength(of secret: Range<Int>) -> Int {
        guard secret.count >= SecretMemory.maximumLength else { return SecretMemory.maximumLength + Self.schemeLength }
        var place = Place(piece: head, offset: start)
        let first = bytes(in: secret.lowerBound..<secret.lowerBound + Self.schemeLength, from: &place)
        let credentials = SchemeCredentials(first).map { first[$0.start...] } ?? first[...]
        let mayBeToken = StandInShape.mayBeToken(credentials)
        return Self.schemeLength + (mayBeToken ? StandInShape.maximumTokenLength : SecretMemory.maximumLength)
    }

    /// The maximum length of a scheme and the spaces after it, with room for the start of the credentials.
    private static let schemeLength = 40

    /// The range of the secret that starts with the cut at `index`.
    private func secret(at index: Int) -> Range<Int> {
        var range = cuts[index].range
        for cut in cuts[(index + 1)...] {
            guard cut.replacement == .restOfSecret, cut.range.lowerBound == range.upperBound else { break }
            range = range.lowerBound..<cut.range.upperBound
        }
        return range
    }

    /// A held piece, and its offset in the body.
    private struct Place {
        var piece: Int
        var offset: Int
    }

    /// The bytes of a range. The place moves to the piece in which the range starts.
    private func bytes(in range: Range<Int>, from place: inout Place) -> [UInt8] {
        while place.piece < pieces.count, place.offset + pieces[place.piece].count <= range.lowerBound {
            place.offset += pieces[place.piece].count
            place.piece += 1
        }
        var bytes: [UInt8] = []
        var offset = place.offset
        let end = range.upperBound
        for piece in pieces[place.piece...] {
            guard offset < end else { break }
            let part = (range.lowerBound..<end).clamped(to: offset..<offset + piece.count)
            if !part.isEmpty { bytes += piece[part.lowerBound - offset..<part.upperBound - offset] }
            offset += piece.count
        }
        return bytes
    }

    /// Returns the piece at `range` with its cuts applied, and discards these cuts.
    private mutating func cut(
        _ piece: [UInt8],
        _ range: Range<Int>,
        _ replacement: SecretReplacement,
        _ count: inout Int
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(piece.count)
        var kept = range.lowerBound
        var done = 0
        for index in cuts.indices where cuts[index].range.lowerBound < range.upperBound {
            let cut = cuts[index]
            if let text = text(at: index, replacement, &count) {
                output += piece[kept - range.lowerBound..<max(cut.range.lowerBound, kept) - range.lowerBound]
                output += text
                kept = min(cut.range.upperBound, range.upperBound)
            }
            if cut.range.upperBound <= range.upperBound {
                done = index + 1
            } else {
                cuts[index] = Cut(range: range.upperBound..<cut.range.upperBound, replacement: .restOfSecret)
            }
        }
        cuts.removeFirst(done)
        output += piece[kept - range.lowerBound..<piece.count]
        return output
    }

    /// Returns the text that replaces the cut at `index`, which starts in the first held piece, or `nil` if it stays.
    private mutating func text(at index: Int, _ replacement: SecretReplacement, _ count: inout Int) -> [UInt8]? {
        let cut = cuts[index]
        guard cut.replacement != .restOfSecret else { return cut.range.lowerBound < keptEnd ? nil : [] }
        let range = secret(at: index)
        var place = Place(piece: head, offset: start)
        guard let text = text(for: range, cut, replacement, from: &place) else {
            keptEnd = range.upperBound
            return nil
        }
        count += 1
        if secrets != nil {
            let value = bytes(in: range.prefix(SecretMemory.maximumLength), from: &place)
            secrets?.append((range.lowerBound, value))
        }
        return text
    }

    /// Returns the text that replaces the secret in a range, or `nil` if it stays.
    private func text(
        for range: Range<Int>,
        _ cut: Cut,
        _ replacement: SecretReplacement,
        from place: inout Place
    ) -> [UInt8]? {
        let length = readLength(of: range)
        // The start of a longer secret is not looked for elsewhere.
        let isSearched = range.count < length
        let value = cut.encoding.narrowed(bytes(in: range.prefix(length), from: &place))
        return replacement.text(for: value, cut.replacement, isSearched: isSearched).map { cut.encoding.encoded($0) }
    }
}
