// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct WorkerThreadsTests {
    @Test func oneThreadWorksInOrder() async {
        let threads = WorkerThreads(name: "test", limit: 1)
        let done = Signal()
        let order = Recorded()
        for number in 0..<1000 { threads.submit { order.append(number) } }
        threads.submit { done.set() }
        await done.wait()
        #expect(order.numbers == Array(0..<1000))
    }

    @Test func threadsWorkAtTheSameTimeUpToTheLimit() async {
        let threads = WorkerThreads(name: "test", limit: 2)
        let (first, second, third) = (Signal(), Signal(), Signal())
        let release = DispatchSemaphore(value: 0)
        threads.submit {
            first.set()
            release.wait()
        }
        threads.submit {
            second.set()
            release.wait()
        }
        let order = Recorded()
        threads.submit {
            order.append(1)
            third.set()
        }
        await first.wait()
        await second.wait()
        #expect(order.numbers == [])
        release.signal()
        await third.wait()
        release.signal()
    }

    @Test func workIsDoneAfterQueueIsReleased() async {
        var threads: WorkerThreads? = WorkerThreads(name: "test", limit: 1)
        let (started, done) = (Signal(), Signal())
        let release = DispatchSemaphore(value: 0)
        threads?.submit {
            started.set()
            release.wait()
        }
        threads?.submit { done.set() }
        await started.wait()
        threads = nil
        release.signal()
        await done.wait()
    }

    private final class Recorded: @unchecked Sendable {
        // Protected by `lock`.
        private var stored: [Int] = []
        private let lock = NSLock()

        func append(_ number: Int) { lock.withLock { stored.append(number) } }
        var numbers: [Int] { lock.withLock { stored } }
    }
}
