// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseIO

@Suite struct WriteQueueTests {
    private func takeText(_ queue: inout WriteQueue) -> String {
        var batch: [UInt8] = []
        queue.take(into: &batch)
        return String(decoding: batch, as: UTF8.self)
    }

    @Test(arguments: [
        (["a\n", "b\n"], "a\nb\n"),
        (["12345\n", "123\n"], "12345\n123\n"),
        (["12345\n", "1234\n"], "12345\n… 1 line was dropped: standard error is not being read\n"),
        // Nothing is added after the gap, so that the notice is at its position.
        (["12345\n", "1\n2\n3\n", "4\n"], "12345\n… 4 lines were dropped: standard error is not being read\n"),
        (["12345", "6\n7890"], "12345\n… 2 lines were dropped: standard error is not being read\n"),
        (["longer than that\n"], "… 1 line was dropped: standard error is not being read\n"),
        ([""], ""),
    ])
    func replacesLinesOverLimitWithCount(writes: [String], expected: String) {
        var queue = WriteQueue(limit: 10, stream: "standard error")
        for text in writes { queue.append(Array(text.utf8)) }
        #expect(queue.isEmpty == expected.isEmpty)
        #expect(takeText(&queue) == expected)
        #expect(queue.isEmpty)
    }

    @Test func hasRoomAfterTake() {
        var queue = WriteQueue(limit: 4, stream: "standard error")
        for _ in 0..<3 { queue.append(Array("123\n".utf8)) }
        _ = takeText(&queue)
        queue.append(Array("456\n".utf8))
        #expect(takeText(&queue) == "456\n")
    }
}
