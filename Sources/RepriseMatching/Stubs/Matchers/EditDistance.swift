// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The number of characters to insert, remove, or replace to turn one text into another (Levenshtein), in proportion to
/// the longer text.
enum EditDistance {
    /// The product of the lengths up to which the distance is exact, without the common start and end of both texts.
    private static let maximumWork = 1 << 20

    /// Returns the distance of two different texts: more than 0, at most 1. For long texts, everything after the common
    /// start and before the common end counts as replaced.
    ///
    /// - Parameter pattern: The second text, prepared; `nil` if it is too long for that, or compared only once.
    static func normalized(
        _ one: ArraySlice<UInt8>,
        _ other: ArraySlice<UInt8>,
        _ budget: WorkBudget,
        _ pattern: EditPattern? = nil
    ) -> Double {
        let longest = max(one.count, other.count)
        guard longest > 0, budget.work(longest) else { return 1 }
        if let pattern, one.count <= maximumWork {
            return max(Double(pattern.edits(one.span)) / Double(longest), .leastNonzeroMagnitude)
        }
        let (left, right) = (one.span, other.span)
        let start = ByteDistance.prefix(left, right)
        let middle = ByteDistance.middle(left, right)
        let end = longest - start - middle
        let (work, overflows) = (left.count - start - end).multipliedReportingOverflow(by: right.count - start - end)
        let isLong = overflows || work > maximumWork
        guard isLong || budget.work(work / 4) else { return 1 }
        let edits =
            isLong || work == 0
            ? middle
            : edits(left.extracting(start..<left.count - end), right.extracting(start..<right.count - end))
        return max(Double(edits) / Double(longest), .leastNonzeroMagnitude)
    }

    private static func edits(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        if let pattern = EditPattern(right) { return pattern.edits(left) }
        if let pattern = EditPattern(left) { return pattern.edits(right) }
        var row = Array(0...right.count)
        for index in left.indices {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (right[column] == left[index] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}

/// A text of at most 64 bytes, prepared to be compared with others in one step for each of their bytes: a column of the
/// table of distances is a word whose bits say where the distance grows or shrinks (Myers' algorithm).
struct EditPattern: Sendable {
    private let count: Int
    /// The places of each byte in the text.
    private var places: [UInt64]

    /// Returns `nil` if the text is empty or too long.
    init?(_ text: Span<UInt8>) {
        guard 1...64 ~= text.count else { return nil }
        count = text.count
        places = Array(repeating: 0, count: 256)
        for index in text.indices { places[Int(text[index])] |= 1 << UInt64(index) }
    }

    /// Returns the number of edits that turn one text into the other.
    func edits(_ other: Span<UInt8>) -> Int {
        let last: UInt64 = 1 << UInt64(count - 1)
        var (grows, shrinks) = (UInt64.max, UInt64(0))
        var edits = count
        for index in other.indices {
            let equal = places[Int(other[index])]
            let vertical = equal | shrinks
            let horizontal = (((equal & grows) &+ grows) ^ grows) | equal
            var more = shrinks | ~(horizontal | grows)
            var less = grows & horizontal
            if more & last != 0 { edits += 1 } else if less & last != 0 { edits -= 1 }
            (more, less) = (more << 1 | 1, less << 1)
            grows = less | ~(vertical | more)
            shrinks = more & vertical
        }
        return edits
    }
}
