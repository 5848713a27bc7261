// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseQueries

@Suite struct ScalarSetTests {
    @Test(
        arguments: [
            ([0x41...0x42, 0x43...0x44], [0x41...0x44]), ([0x43...0x44, 0x41...0x41], [0x41...0x41, 0x43...0x44]),
            ([0x41...0x50, 0x42...0x43], [0x41...0x50]), ([0x41...0x45, 0x43...0x50], [0x41...0x50]),
            ([0x41...0x41, 0x41...0x41], [0x41...0x41]), ([], []),
        ] as [([ClosedRange<UInt32>], [ClosedRange<UInt32>])]
    )
    func rangesThatTouchAreOne(given: [ClosedRange<UInt32>], expected: [ClosedRange<UInt32>]) {
        #expect(ScalarSet(given).ranges == expected)
    }

    @Test(
        arguments: [
            ([], [0...0x10FFFF]), ([0...0x10FFFF], []), ([0...0], [1...0x10FFFF]),
            ([0x10FFFF...0x10FFFF], [0...0x10FFFE]),
            ([1...0x10FFFE], [0...0, 0x10FFFF...0x10FFFF]),
            ([0x41...0x41, 0x43...0x43], [0...0x40, 0x42...0x42, 0x44...0x10FFFF]),
        ] as [([ClosedRange<UInt32>], [ClosedRange<UInt32>])]
    )
    func complementHasTheGaps(given: [ClosedRange<UInt32>], expected: [ClosedRange<UInt32>]) {
        #expect(ScalarSet(given).complement.ranges == expected)
        #expect(ScalarSet(given).complement.complement.ranges == given)
    }

    @Test(
        arguments: [
            (0...0x7F, false, false), (0...0x80, true, false), (0x80...0x80, true, false),
            (0x80...0x10FFFF, true, true),
            (0x81...0x10FFFF, true, false), (0x80...0x10FFFE, true, false), (0...0x10FFFF, true, true),
        ] as [(ClosedRange<UInt32>, Bool, Bool)]
    )
    func knowsScalarsBeyondASCII(range: ClosedRange<UInt32>, any: Bool, all: Bool) {
        #expect(ScalarSet([range]).containsAnyBeyondASCII == any)
        #expect(ScalarSet([range]).containsAllBeyondASCII == all)
    }

    @Test func findsMembersAtTheEndsOfRanges() {
        let set = ScalarSet([0x30...0x39, 0x41...0x41, 0x61...0x7A])
        for scalar in [0x30, 0x39, 0x41, 0x61, 0x7A] as [UInt32] { #expect(set.contains(scalar)) }
        for scalar in [0x2F, 0x3A, 0x40, 0x42, 0x60, 0x7B, 0] as [UInt32] { #expect(!set.contains(scalar)) }
        #expect(!ScalarSet.none.contains(0))
        #expect(ScalarSet(0x41).single == 0x41)
        #expect(ScalarSet([0x41...0x42]).single == nil)
        #expect(set.single == nil)
    }

    @Test func ignoringCaseAddsTheOtherLetters() {
        #expect(
            ScalarSet([0x40...0x41, 0x7A...0x7B]).ignoringASCIICase.ranges == [
                0x40...0x41, 0x5A...0x5A, 0x61...0x61, 0x7A...0x7B,
            ]
        )
        #expect(ScalarSet([0x5B...0x60]).ignoringASCIICase.ranges == [0x5B...0x60])
    }

    @Test func intersectionHasWhatBothHave() {
        let set = ScalarSet([0x30...0x39, 0x61...0x7A]).intersection(ScalarSet([0x39...0x61]))
        #expect(set.ranges == [0x39...0x39, 0x61...0x61])
    }

    /// UTF-8 as bytes, and the scalars that are read from it. U+FFFD stands for each byte that is not well-formed.
    @Test(
        arguments: [
            ([0x7F], [0x7F]), ([0xC2, 0x80], [0x80]), ([0xC1, 0x80], [0xFFFD, 0xFFFD]), ([0xDF, 0xBF], [0x7FF]),
            ([0xE0, 0xA0, 0x80], [0x800]), ([0xE0, 0x9F, 0xBF], [0xFFFD, 0xFFFD, 0xFFFD]),
            ([0xEF, 0xBF, 0xBF], [0xFFFF]),
            ([0xED, 0x9F, 0xBF], [0xD7FF]), ([0xED, 0xA0, 0x80], [0xFFFD, 0xFFFD, 0xFFFD]),
            ([0xEE, 0x80, 0x80], [0xE000]),
            ([0xF0, 0x90, 0x80, 0x80], [0x10000]), ([0xF0, 0x8F, 0xBF, 0xBF], [0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD]),
            ([0xF4, 0x8F, 0xBF, 0xBF], [0x10FFFF]), ([0xF4, 0x90, 0x80, 0x80], [0xFFFD, 0xFFFD, 0xFFFD, 0xFFFD]),
            ([0xF5, 0x80], [0xFFFD, 0xFFFD]), ([0xC3], [0xFFFD]), ([0xE2, 0x82], [0xFFFD, 0xFFFD]),
            ([0xC3, 0x41], [0xFFFD, 0x41]),
            ([0xC3, 0xC3, 0xA9], [0xFFFD, 0xE9]),
        ] as [([UInt8], [UInt32])]
    )
    func decodesScalars(bytes: [UInt8], expected: [UInt32]) {
        let text = ([0x20] + bytes)[1...]
        var index = text.startIndex
        var found: [UInt32] = []
        while index < text.endIndex { found.append(ScalarDecoder.next(text, &index)) }
        #expect(found == expected)
    }
}
