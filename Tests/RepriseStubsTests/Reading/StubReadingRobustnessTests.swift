// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseStubs

@Suite struct StubReadingRobustnessTests {
    @Test func cutAndChangedTextIsReadOrRejected() {
        for seed in 0..<4 as Range<UInt64> {
            var random = RandomMapping(seed: seed)
            let text = StubMappingWriter.write(random.mapping())
            for index in stride(from: Int(seed), to: text.count, by: 5) {
                check(Array(text[..<index]))
                var changed = text
                changed[index] = Array("{}[]\"',:/*0n\\".utf8)[index % 13]
                check(changed)
            }
        }
    }

    @Test func deeplyNestedTextIsRejected() {
        for open in ["[", "{\"metadata\":", "{\"request\":{\"bodyPatterns\":[{\"and\":["] {
            check(Array(String(repeating: open, count: 10_000).utf8))
        }
    }

    @Test func manyOpenCommentsAreReadInLinearTime() {
        check(Array(String(repeating: "/*", count: 200_000).utf8))
        check(Array("{} \(String(repeating: "/*", count: 200_000))".utf8))
    }

    /// Reads a text, and expects places in it.
    private func check(_ text: [UInt8]) {
        do throws(FixtureProblems) {
            let read = try StubMappingReader.read(text, file: "f")
            #expect(read.mappings.count == read.locations.count)
        } catch {
            let lines = text.count { $0 == 0x0A } + 1
            let areInText = error.problems.allSatisfy { ($0.location?.line ?? 0) <= lines && !$0.message.isEmpty }
            #expect(areInText && !error.problems.isEmpty)
        }
    }
}
