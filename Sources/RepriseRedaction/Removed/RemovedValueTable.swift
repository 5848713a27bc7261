// SPDX-License-Identifier: Apache-2.0

/// A table that finds any of its values in bytes. It looks only at every third offset, because it indexes four bytes
/// of each value at three offsets.
package struct RemovedValueTable: Sendable {
    /// The minimum length of a value.
    static let minimumLength = 6
    private static let step = minimumLength - 3

    /// The position of a value.
    struct Match: Hashable {
        var range: Range<Int>
        /// The marker that replaces the value, as an index into ``RedactionRules/markers``.
        var marker: Int
    }

    private struct Place {
        var value: Int
        var offset: Int
    }

    private var values: [(bytes: [UInt8], marker: Int)] = []
    /// The values, with the offset in each, that contain a group of four bytes.
    private var places: [UInt32: [Place]] = [:]
    /// One bit for the hash of each group of four bytes.
    private var filter = [UInt8](repeating: 0, count: 1 << 13)
    /// The length of the longest value.
    package private(set) var longest = 0

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

    /// Returns the first value that starts at `start` or later but before `limit`. If several start there, returns
    /// the longest.
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
            guard starts.contains(first), isMatch(value.bytes, bytes, first) else { continue }
            if let best, (best.range.lowerBound, -best.range.count) <= (first, -value.bytes.count) { continue }
            best = Match(range: first..<first + value.bytes.count, marker: value.marker)
        }
        return best
    }

    /// The last byte rules out most values with the same start.
    private func isMatch(_ value: [UInt8], _ bytes: Span<UInt8>, _ first: Int) -> Bool {
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

    /// Returns the cuts that remove the values from `bytes`.
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

    /// A place of a value, and the text that replaces it.
    package struct Occurrence: Hashable, Sendable {
        package var range: Range<Int>
        package var text: [UInt8]

        package init(range: Range<Int>, text: [UInt8]) {
            self.range = range
            self.text = text
        }
    }

    /// Returns the places of values in `bytes` that start before `limit`.
    package func occurrences(in bytes: [UInt8], before limit: Int, markers: [[UInt8]]) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        var start = 0
        let slice = bytes[...]
        while let match = next(in: slice.span, from: start, before: limit) {
            occurrences.append(Occurrence(range: match.range, text: markers[match.marker]))
            start = match.range.upperBound
        }
        return occurrences
    }
}
