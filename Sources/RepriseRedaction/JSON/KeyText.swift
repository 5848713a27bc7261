// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The text of the last string, which is a key if a colon follows. It is kept only as far as it left the window.
struct KeyText: Sendable {
    /// A key of more bytes is the name of no secret.
    private static let maximumLength = 512

    private enum State {
        case none
        case open
        case closed
    }

    private var state = State.none
    /// What of it is in the window: it goes on to where the window ends while it is open.
    private var range = 0..<0
    /// What left the window.
    private var kept: [UInt8] = []

    /// A string starts, behind its quote.
    @inline(__always)
    mutating func start(at index: Int) {
        state = .open
        range = index..<index
        if !kept.isEmpty { kept.removeAll(keepingCapacity: true) }
    }

    /// The string ends, before its quote.
    @inline(__always)
    mutating func close(at index: Int) {
        guard state == .open else { return }
        state = .closed
        range = range.lowerBound..<max(index, range.lowerBound)
    }

    /// Anything but white space follows: if it was no colon, it was no key.
    @inline(__always)
    mutating func end() {
        state = .none
    }

    /// It was a value.
    mutating func forget() {
        state = .none
    }

    /// What lies between what was kept and `index` does not belong to it.
    mutating func move(to index: Int) {
        if state == .open { range = index..<index }
    }

    /// The window goes on: keeps what is in it.
    mutating func keep(_ bytes: Span<UInt8>, _ base: Int) {
        guard state != .none else { return }
        let end = state == .open ? base + bytes.count : range.upperBound
        guard end > range.lowerBound else { return }
        guard kept.count + end - range.lowerBound <= Self.maximumLength else {
            state = .none
            return
        }
        for index in range.lowerBound - base..<end - base { kept.append(bytes[index]) }
        range = end..<end
    }

    /// What the key says in front of a colon; `nil` for no key, too.
    @inline(__always)
    func verdict(_ bytes: Span<UInt8>, _ base: Int, _ names: SecretNames) -> SecretNames.Verdict? {
        guard state == .closed, kept.count + range.count <= Self.maximumLength else { return nil }
        if kept.isEmpty {
            // Where nothing is may have left the window.
            guard !range.isEmpty else { return nil }
            return Self.verdict(bytes.extracting(range.lowerBound - base..<range.upperBound - base), names)
        }
        let text = spelling(bytes, base)[...]
        return Self.verdict(text.span, names)
    }

    /// The key without escapes; empty for no key.
    func text(_ bytes: Span<UInt8>, _ base: Int) -> [UInt8] {
        guard state == .closed, kept.count + range.count <= Self.maximumLength else { return [] }
        let spelling = spelling(bytes, base)[...]
        return JSONEscapes.decoded(spelling.span)
    }

    private func spelling(_ bytes: Span<UInt8>, _ base: Int) -> [UInt8] {
        var text = kept
        for index in range { text.append(bytes[index - base]) }
        return text
    }

    /// Whether it ended, so that a colon may follow.
    var isWhole: Bool { state == .closed }

    /// A number that other keys hardly have.
    func hash(_ bytes: Span<UInt8>, _ base: Int) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        guard state == .closed, kept.count + range.count <= Self.maximumLength else { return hash }
        for byte in kept { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for index in range { hash = (hash ^ UInt64(bytes[index - base])) &* 0x100_0000_01B3 }
        return hash
    }

    @inline(__always)
    private static func verdict(_ text: Span<UInt8>, _ names: SecretNames) -> SecretNames.Verdict? {
        guard text.endOfStringRun(from: 0) < text.count else { return names.verdict(of: text, in: .json) }
        let decoded = JSONEscapes.decoded(text)[...]
        return names.verdict(of: decoded.span, in: .json)
    }
}

extension Span<UInt8> {
    /// The first quote or backslash from `start` on; the number of bytes, or more if `start` is, if there is none.
    @inline(__always)
    func endOfStringRun(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count {
            let word = word(at: index)
            // The top bit of each byte that is found; one that follows the first may be wrong, the first is not.
            let quotes = word ^ 0x2222_2222_2222_2222
            let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let found =
                ((quotes &- 0x0101_0101_0101_0101) & ~quotes | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes)
                & 0x8080_8080_8080_8080
            guard found == 0 else { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != UInt8(ascii: "\""), self[index] != UInt8(ascii: "\\") { index &+= 1 }
        return index
    }
}
