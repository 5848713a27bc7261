// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import Testing

@Suite struct LockedTests {
    @Test func losesNoIncrementOfConcurrentTasks() async {
        let count = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { count.withLock { $0 += 1 } } }
            }
        }
        #expect(count.withLock { $0 } == 8000)
    }

    @Test func rethrowsErrorAndUnlocks() {
        struct Mistake: Error {}
        let value = Locked([1])
        #expect(throws: Mistake.self) {
            try value.withLock { (value: inout [Int]) throws(Mistake) in
                value.append(2)
                throw Mistake()
            }
        }
        #expect(value.withLock { $0 } == [1, 2])
    }
}
