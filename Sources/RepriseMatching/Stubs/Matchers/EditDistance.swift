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
    static func normalized(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>, _ budget: WorkBudget) -> Double {
        let longest = max(one.count, other.count)
        guard longest > 0, budget.work(longest) else { return 1 }
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
