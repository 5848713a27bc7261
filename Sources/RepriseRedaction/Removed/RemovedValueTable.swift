// SPDX-License-Identifier: Apache-2.0

/// Finds any of some values in bytes, looking at every third place alone: each value has four bytes at one of these.
package struct RemovedValueTable: Sendable {
    /// No value has fewer bytes.
    static let minimumLength = 6
    private static let step = minimumLength - 3

    /// A place where a value stands.
    struct Match: Hashable {
        var range: Range<Int>
        /// What comes in its place, of ``RedactionRules/markers``.
        var marker: Int
    }

    private struct Place {
        var value: Int
        var offset: Int
    }

    private var values: [(bytes: [UInt8], marker: Int)] = []
    /// Where in which values four bytes stand.
    private var places: [UInt32: [Place]] = [:]
    /// A bit for the hash of each four bytes.
    private var filter = [UInt8](repeating: 0, count: 1 << 13)
    /// How many bytes the longest value has.
    private(set) var longest = 0

    var isEmpty: Bool { values.isEmpty }

    /// Adds a value.
    mutating func insert(_ value: [UInt8], marker: Int) {
        guard value.count >= Self.minimumLength else { return }
        let slice = value[...]
        for offset in 0..<Self.step {
            let gram = Self.gram(slice.span, at: offset)
            let bit = Self.hash(gram)
            filter[bit >> 3] |= 1 << UInt8(bit & 7)
            places[gram, default: []].append(Place(value: values.count, offset: offset))
        }
        values.append((value, marker))
        longest = max(longest, value.count)
    }

    /// The first value that starts at `start` or later, but before `limit`; of several, the longest.
    func next(in bytes: Span<UInt8>, from start: Int, before limit: Int) -> Match? {
        let filter = filter[...]
        return next(bytes, start, limit, filter.span)
    }

    private func next(_ bytes: Span<UInt8>, _ start: Int, _ limit: Int, _ filter: Span<UInt8>) -> Match? {
        var index = start
        let end = min(bytes.count - 4, limit + Self.step - 1)
        while index <= end {
            let gram = Self.gram(bytes, at: index)
            let bit = Self.hash(gram)
            if filter[bit >> 3] >> UInt8(bit & 7) & 1 != 0,
                let match = match(bytes, gram, at: index, start..<max(start, limit))
            {
                return match
            }
            index &+= Self.step
        }
        return nil
    }

    private func match(_ bytes: Span<UInt8>, _ gram: UInt32, at index: Int, _ starts: Range<Int>) -> Match? {
        guard let places = places[gram] else { return nil }
        var best: Match?
        for place in places {
            let first = index - place.offset
            let value = values[place.value]
            guard starts.contains(first), isThere(value.bytes, bytes, first) else { continue }
            if let best, (best.range.lowerBound, -best.range.count) <= (first, -value.bytes.count) { continue }
            best = Match(range: first..<first + value.bytes.count, marker: value.marker)
        }
        return best
    }

    /// The last byte tells most of what starts alike apart.
    private func isThere(_ value: [UInt8], _ bytes: Span<UInt8>, _ first: Int) -> Bool {
        let end = first + value.count
        guard end <= bytes.count, bytes[end - 1] == value[value.count - 1] else { return false }
        return bytes.has(value, at: first)
    }

    @inline(__always)
    private static func gram(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
        UInt32(bytes[index]) | UInt32(bytes[index &+ 1]) << 8 | UInt32(bytes[index &+ 2]) << 16
            | UInt32(bytes[index &+ 3]) << 24
    }

    @inline(__always)
    private static func hash(_ gram: UInt32) -> Int {
        Int(truncatingIfNeeded: gram &* 0x9E37_79B1) >> 16 & 0xFFFF
    }

    // MARK: Whole texts

    /// The cuts that take the values out of `bytes`.
    func cuts(in bytes: [UInt8]) -> [Cut] {
        var cuts: [Cut] = []
        var start = 0
        let slice = bytes[...]
        while let match = next(in: slice.span, from: start, before: bytes.count) {
            cuts.append(Cut(range: match.range, replacement: .marker(match.marker)))
            start = match.range.upperBound
        }
        return cuts
    }
}
