// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseMatching

@Suite struct EditDistanceTests {
    /// The number of edits by the definition of Levenshtein.
    private func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var previous = row
            previous[0] = index + 1
            for column in right.indices {
                let replaced = row[column] + (right[column] == byte ? 0 : 1)
                previous[column + 1] = min(replaced, row[column + 1] + 1, previous[column] + 1)
            }
            row = previous
        }
        return row[right.count]
    }

    @Test(arguments: [(0, false), (1, true), (64, true), (65, false)])
    func patternHasOneTo64Bytes(count: Int, isPattern: Bool) {
        let text = (0..<count).map { UInt8($0) }
        let none: [UInt8] = []
        let pattern = EditPattern(text.span)
        #expect((pattern != nil) == isPattern)
        let edits = [pattern?.edits(none.span), pattern?.edits(text.span)]
        #expect(edits == (isPattern ? [count, 0] : [nil, nil]))
    }

    /// A long text is not compared byte by byte: everything between the common start and end counts as replaced.
    @Test(arguments: [(1024, 2.0 / 1024), (1025, 1)])
    func longTextsAreComparedRoughly(count: Int, distance: Double) {
        let middle = (0..<count).map { UInt8(0x61 + $0 % 23) }
        let other = [0x30] + middle.dropLast()
        let budget = WorkBudget()
        #expect(EditDistance.normalized(middle[...], other[...], budget) == distance)
    }

    @Test(arguments: 0..<60) func countsEdits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func text(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0x61...0x63, using: &random) } }
        for _ in 0..<20 {
            let longest = Bool.random(using: &random) ? 70 : 12
            let left = text(Int.random(in: 0...longest, using: &random))
            let right = text(Int.random(in: 0...longest, using: &random))
            guard left != right else { continue }
            let expected = Double(edits(left, right)) / Double(max(left.count, right.count))
            let budget = WorkBudget()
            #expect(EditDistance.normalized(left[...], right[...], budget) == expected)
            let pattern = EditPattern(right.span)
            #expect(EditDistance.normalized(left[...], right[...], budget, pattern) == expected)
        }
    }
}
