// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction
internal import RepriseStorage

/// The places of secrets in a file, and what replaces them.
struct ValueCuts {
    private(set) var cuts: [SecretTable.Occurrence] = []

    init() {}

    init(_ removal: SecretRemoval, in file: StorageFile) throws(FileError) {
        var window: [UInt8] = []
        var order: WideOrder?
        var start = 0
        var from = 0
        while true {
            let block = try file.read(at: start + window.count, count: Self.blockSize)
            if start == 0, window.isEmpty { order = WideOrder(startOf: block) }
            window += block
            let isLast = block.isEmpty
            // The window starts with a whole character.
            let unit = order == nil ? 1 : 2
            let text = order?.narrowed(window[...]) ?? window
            // A value that starts later can continue in the next block.
            let limit = isLast ? text.count : max(0, text.count - Self.longestEscape * removal.table.longest)
            for cut in removal.table.occurrences(in: text, before: limit, removal.replacement)
            where start + unit * cut.range.lowerBound >= from {
                let range = start + unit * cut.range.lowerBound..<start + unit * cut.range.upperBound
                cuts.append(SecretTable.Occurrence(range: range, text: order?.encoded(cut.text) ?? cut.text))
                from = range.upperBound
            }
            if isLast { return }
            // One more character, because a value starts at the start of a word.
            let dropped = unit * max(0, limit - 1)
            window.removeFirst(dropped)
            start += dropped
        }
    }

    private static let blockSize = 256 * 1024
    /// The number of bytes of an escaped character.
    private static let longestEscape = 6

    /// Copies `file` without the values to `output`.
    func copy(_ file: StorageFile, to output: (ArraySlice<UInt8>) throws(FileError) -> Void) throws(FileError) {
        var offset = 0
        for cut in cuts {
            try copy(file, offset..<cut.range.lowerBound, to: output)
            try output(cut.text[...])
            offset = cut.range.upperBound
        }
        try copy(file, offset..<(try file.size), to: output)
    }

    private func copy(
        _ file: StorageFile,
        _ range: Range<Int>,
        to output: (ArraySlice<UInt8>) throws(FileError) -> Void
    ) throws(FileError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let block = try file.read(at: offset, count: min(Self.blockSize, range.upperBound - offset))
            guard !block.isEmpty else { return }
            try output(block[...])
            offset += block.count
        }
    }

    /// Returns the sizes of the parts of the copy for the `sizes` of the parts of the original. What replaces a value
    /// is in the part in which the value starts.
    func sizes(_ sizes: [Int]) -> [Int] {
        var cuts = cuts[...]
        var start = 0
        return sizes.map { size in
            let end = start + size
            var new = size
            while let cut = cuts.first, cut.range.lowerBound < end {
                if cut.range.lowerBound >= start { new += cut.text.count }
                new -= min(end, cut.range.upperBound) - max(start, cut.range.lowerBound)
                guard cut.range.upperBound <= end else { break }
                cuts.removeFirst()
            }
            start = end
            return new
        }
    }
}

/// The values to remove from what was written, and what replaces them.
struct SecretRemoval {
    let table: SecretTable
    let replacement: SecretReplacement

    /// The same values, replaced with plain markers. Searching with it lists no new stand-ins.
    var withoutStandIns: SecretRemoval {
        SecretRemoval(table: table, replacement: replacement.withoutStandIns)
    }
}
