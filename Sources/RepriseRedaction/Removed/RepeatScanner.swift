// SPDX-License-Identifier: Apache-2.0

/// Finds values in a body that were redacted earlier in the recording, and remembers the values redacted in this
/// body.
struct RepeatScanner: Sendable {
    private let removed: RemovedValues
    /// The offset of the first byte that the caller must pass again next time.
    private(set) var position = 0
    /// Redacted values that can continue after the scanned bytes.
    private var open: [(value: [UInt8], marker: Int, end: Int)] = []

    init(_ removed: RemovedValues) {
        self.removed = removed
    }

    /// Scans the bytes, starting at offset ``position``.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the body, starting at offset `base`.
    ///   - isLast: Whether these are the last bytes.
    ///   - known: The number of `cuts` that were made before. The others are in `bytes`.
    mutating func scan(_ bytes: Span<UInt8>, from base: Int, isLast: Bool, behind known: Int, cuts: inout [Cut]) {
        if cuts.count > known || !open.isEmpty { remember(Array(cuts[known...]), bytes, base, isLast) }
        let end = base + bytes.count
        guard let table = removed.table else {
            position = end
            return
        }
        let limit = isLast ? end : max(position, end - table.longest + 1)
        while let match = table.next(in: bytes, from: position - base, before: limit - base) {
            let range = base + match.range.lowerBound..<base + match.range.upperBound
            cuts.append(Cut(range: range, replacement: .marker(match.marker)))
            position = range.upperBound
        }
        position = max(position, limit)
    }

    private mutating func remember(_ cuts: [Cut], _ bytes: Span<UInt8>, _ base: Int, _ isLast: Bool) {
        let old = open
        open = []
        var isContinued = [Bool](repeating: false, count: old.count)
        for cut in cuts.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            switch cut.replacement {
            case .marker(let marker):
                open.append(([], marker, cut.range.lowerBound))
                extend(open.count - 1, by: cut, bytes, base)
            case .restOfSecret:
                if let index = old.indices.first(where: { old[$0].end == cut.range.lowerBound && !isContinued[$0] }) {
                    isContinued[index] = true
                    open.append(old[index])
                    extend(open.count - 1, by: cut, bytes, base)
                } else if let index = open.lastIndex(where: { $0.end == cut.range.lowerBound }) {
                    extend(index, by: cut, bytes, base)
                }
            }
        }
        // Values that were not continued are complete.
        for (value, isContinued) in zip(old, isContinued) where !isContinued {
            removed.add(value.value, marker: value.marker)
        }
        let end = base + bytes.count
        open.removeAll { value in
            guard isLast || value.end < end else { return false }
            removed.add(value.value, marker: value.marker)
            return true
        }
    }

    private mutating func extend(_ index: Int, by cut: Cut, _ bytes: Span<UInt8>, _ base: Int) {
        open[index].end = cut.range.upperBound
        // A part of the secret in an earlier record can already have left the window, so the value is not remembered.
        guard cut.range.lowerBound >= base, cut.range.upperBound <= base + bytes.count else { return }
        // Longer values are not remembered.
        guard open[index].value.count <= RemovedValues.maximumLength else { return }
        for place in cut.range.prefix(RemovedValues.maximumLength + 1) { open[index].value.append(bytes[place - base]) }
    }
}
