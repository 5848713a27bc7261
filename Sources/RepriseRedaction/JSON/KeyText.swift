// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The text of the last string, which is a key if a colon follows. It is copied only when it leaves the window.
struct KeyText: Sendable {
    /// The maximum length of a secret's name, in bytes.
    private static let maximumLength = 512

    private enum State {
        case none
        case open
        case closed
    }

    private var state = State.none
    /// The range of the string within the window. While the string is open, it extends to the end of the window.
    private var range = 0..<0
    /// The part that left the window.
    private var kept: [UInt8] = []

    /// Starts a string, after its opening quote.
    @inline(__always)
    mutating func start(at index: Int) {
        state = .open
        range = index..<index
        if !kept.isEmpty { kept.removeAll(keepingCapacity: true) }
    }

    /// Ends the string, before its closing quote.
    @inline(__always)
    mutating func close(at index: Int) {
        guard state == .open else { return }
        state = .closed
        range = range.lowerBound..<max(index, range.lowerBound)
    }

    /// Handles the next byte that is not whitespace. If it is not a colon, the string was not a key.
    @inline(__always)
    mutating func end() {
        state = .none
    }

    /// Discards the text, because the string was a value.
    mutating func forget() {
        state = .none
    }

    /// Skips the bytes up to `index`, which are not part of the string.
    mutating func move(to index: Int) {
        if state == .open { range = index..<index }
    }

    /// Copies the text in the window before the window moves on.
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

    /// The range of the key in the window, or `nil` if there is no key or a part of it left the window.
    func range(in base: Int) -> Range<Int>? {
        guard state == .closed, kept.isEmpty, !range.isEmpty else { return nil }
        return range.lowerBound - base..<range.upperBound - base
    }

    /// Returns the verdict on the key before a colon, or `nil` if there is no key or no verdict.
    @inline(__always)
    func verdict(_ bytes: Span<UInt8>, _ base: Int, _ names: SecretNames) -> SecretNames.Verdict? {
        guard state == .closed, kept.count + range.count <= Self.maximumLength else { return nil }
        if kept.isEmpty {
            // An empty string can be outside the window.
            guard !range.isEmpty else { return nil }
            return Self.verdict(bytes.extracting(range.lowerBound - base..<range.upperBound - base), names)
        }
        let text = spelling(bytes, base)[...]
        return Self.verdict(text.span, names)
    }

    /// Returns what the key before a colon says about a value in a group.
    func role(_ bytes: Span<UInt8>, _ base: Int, _ names: SecretNames) -> SecretNames.Role {
        let text = text(bytes, base)[...]
        return names.role(of: text.span, in: .json)
    }

    /// Returns the key without escapes, or an empty array if there is no key.
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

    /// Whether the string ended, so that a colon can follow.
    var isWhole: Bool { state == .closed }

    func hash(_ bytes: Span<UInt8>, _ base: Int) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        guard state == .closed, kept.count + range.count <= Self.maximumLength else { return hash }
        for byte in kept { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for index in range { hash = (hash ^ UInt64(bytes[index - base])) &* 0x100_0000_01B3 }
        return hash
    }

    @inline(__always)
    static func verdict(_ text: Span<UInt8>, _ names: SecretNames) -> SecretNames.Verdict? {
        guard text.endOfStringRun(from: 0) < text.count else { return names.verdict(of: text, in: .json) }
        let decoded = JSONEscapes.decoded(text)[...]
        return names.verdict(of: decoded.span, in: .json)
    }
}
