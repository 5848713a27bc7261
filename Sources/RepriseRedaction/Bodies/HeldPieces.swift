// SPDX-License-Identifier: Apache-2.0

/// The pieces of a body that are held back until their redaction is decided.
struct HeldPieces: Sendable {
    private var pieces: [[UInt8]] = []
    /// The index of the first held piece.
    private var head = 0
    /// The offset of that piece in the body.
    private var start = 0
    /// The offset of the next piece.
    private(set) var end = 0
    /// The cuts in the held pieces.
    var cuts: [Cut] = []
    /// The first bytes of the redacted secrets, if requested.
    var secrets: [[UInt8]]?

    /// Appends a piece.
    mutating func append(_ piece: [UInt8]) {
        pieces.append(piece)
        end += piece.count
    }

    /// Returns the pieces that end at or before `decided`, with the cuts applied, and the number of markers in them.
    ///
    /// Cuts added later must not start before `decided`, unless they continue one of the current cuts.
    mutating func release(upTo decided: Int, markers: [[UInt8]]) -> (pieces: [[UInt8]], count: Int) {
        var output: [[UInt8]] = []
        var count = 0
        cuts.normalize()
        while head < pieces.count, start + pieces[head].count <= decided {
            let range = start..<start + pieces[head].count
            if let first = cuts.first, first.range.lowerBound < range.upperBound {
                output.append(cut(pieces[head], range, markers, &count))
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

    /// Returns the piece at `range` with its cuts applied, and discards these cuts.
    private mutating func cut(
        _ piece: [UInt8],
        _ range: Range<Int>,
        _ markers: [[UInt8]],
        _ count: inout Int
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(piece.count)
        var kept = range.lowerBound
        var done = 0
        for index in cuts.indices where cuts[index].range.lowerBound < range.upperBound {
            let cut = cuts[index]
            output += piece[kept - range.lowerBound..<max(cut.range.lowerBound, kept) - range.lowerBound]
            if case .marker(let marker) = cut.replacement {
                output += cut.encoding.encoded(markers[marker])
                count += 1
                secrets?.append(Array(piece[(cut.range.lowerBound - range.lowerBound)...].prefix(cut.range.count)))
            }
            kept = min(cut.range.upperBound, range.upperBound)
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
}
