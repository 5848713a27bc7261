// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parts of a value with masks that are in a key: the literal text before the first mask and after the last. Only a
/// part of a long text is used, so that patterns have few different masks.
struct KeyMask: Sendable, Hashable {
    /// Whether values with the same key always match: the key contains all literal text, and there is only one mask.
    let isExact: Bool
    private let prefix: Int
    private let suffix: Int

    /// Omits the whole value.
    static let all = KeyMask(prefix: 0, suffix: 0)

    /// Returns a mask that keeps the start and end of a value of `count` bytes without masks, or all of a short
    /// value.
    static func ends(of count: Int) -> KeyMask {
        KeyMask(prefix: min(4096, count / 2), suffix: min(4096, count - count / 2))
    }

    /// Creates the mask of a pattern's value. Returns `nil` if the value has no mask.
    init?(_ text: MaskedText) {
        guard text.isMasked else { return nil }
        prefix = Self.count(text.prefixCount)
        suffix = Self.count(text.suffixCount)
        isExact = text.maskCount == 1 && prefix == text.prefixCount && suffix == text.suffixCount
    }

    private init(prefix: Int, suffix: Int) {
        self.prefix = prefix
        self.suffix = suffix
        isExact = false
    }

    /// Appends the kept part of a value. Returns `false` if the value is too short.
    func append(_ value: Span<UInt8>, to key: inout [UInt8]) -> Bool {
        guard value.count >= prefix + suffix else { return false }
        for index in 0..<prefix { key.append(value[index]) }
        key.append(0)
        for index in value.count - suffix..<value.count { key.append(value[index]) }
        return true
    }

    /// Returns `count` for short texts, and otherwise a power of two up to 4096.
    private static func count(_ count: Int) -> Int {
        guard count > 16 else { return count }
        return min(4096, 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount))
    }
}

/// The pieces of a canonical text that have masks, and how much of each is in a key.
struct MaskPlaces: Sendable, Hashable {
    private let form: CanonicalForm
    private var masks: [CanonicalForm.Name: KeyMask] = [:]

    /// Creates the places of the masks in a pattern's text. Returns `nil` if there can be none because the name of a
    /// pair has a mask.
    init?(_ text: MaskedText, _ form: CanonicalForm) {
        self.form = form
        guard text.isMasked else { return }
        let bytes = Array(text.bytes)
        var known: Set<CanonicalForm.Name> = []
        for piece in form.pieces(of: bytes) {
            if form == .pairs, case .text(let name) = piece.name, text[name.startIndex..<name.endIndex].isMasked {
                return nil
            }
            // Several values of the same name cannot be distinguished, so all of them are omitted.
            let isRepeated = !known.insert(piece.name).inserted
            if let mask = KeyMask(text[piece.range]) {
                masks[piece.name] = isRepeated ? .all : mask
            } else if isRepeated, masks[piece.name] != nil {
                masks[piece.name] = .all
            }
        }
    }

    var isEmpty: Bool { masks.isEmpty }
    /// Whether texts with the same key always match. Otherwise they must be compared.
    var isExact: Bool { masks.values.allSatisfy(\.isExact) }
    /// The names of the pieces.
    var names: Set<CanonicalForm.Name> { Set(masks.keys) }

    /// Appends a canonical text without what the masks omit. Returns `false` if a piece is too short for that.
    ///
    /// - Parameter pieces: The pieces of the text, at least those that have masks; `nil` to find them.
    func append(_ bytes: [UInt8], pieces: [CanonicalForm.Piece]? = nil, to key: inout [UInt8]) -> Bool {
        var copied = 0
        for piece in isEmpty ? [] : pieces ?? form.pieces(of: bytes, named: names) {
            // Between the pieces of a multipart body are their lengths.
            if form != .multipart { key += bytes[copied..<piece.range.lowerBound] }
            if let mask = masks[piece.name] {
                // A mask never matches an empty segment.
                if form == .path, piece.range.isEmpty { return false }
                guard mask.append(bytes[piece.range].span, to: &key) else { return false }
            } else {
                key += bytes[piece.range]
            }
            if form == .multipart { key.append(0) }
            copied = piece.range.upperBound
        }
        if form != .multipart || isEmpty { key += bytes[copied...] }
        return true
    }
}
