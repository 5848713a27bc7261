// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseIO

@Suite struct ChangeBurstTests {
    private var burst = ChangeBurst(quiet: .milliseconds(100), limit: .milliseconds(2000))

    private func at(_ milliseconds: UInt64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func isNotDueWithoutChange() {
        #expect(burst.due == nil)
    }

    @Test mutating func isDueAfterLastChange() {
        burst.add(at: at(0), isCertain: true)
        burst.add(at: at(90), isCertain: true)
        #expect(burst.due == at(190))
        #expect(burst.end(at: at(190), hasNewFolders: false, hasChanged: true) == .report)
        #expect(burst.due == nil)
    }

    @Test mutating func reportsCertainChangeOfEqualFiles() {
        burst.add(at: at(0), isCertain: true)
        burst.add(at: at(1), isCertain: false)
        #expect(burst.end(at: at(101), hasNewFolders: false, hasChanged: false) == .report)
    }

    @Test mutating func reportsNothingIfFilesAreEqual() {
        burst.add(at: at(0), isCertain: false)
        #expect(burst.end(at: at(100), hasNewFolders: false, hasChanged: false) == .none)
        #expect(burst.due == nil)
    }

    @Test mutating func waitsForNewFoldersToBeFilled() {
        burst.add(at: at(0), isCertain: false)
        #expect(burst.end(at: at(100), hasNewFolders: true, hasChanged: true) == .wait)
        #expect(burst.due == at(200))
        #expect(burst.end(at: at(200), hasNewFolders: false, hasChanged: false) == .report)
    }

    @Test mutating func reportsLongBurstInBetweenAndAtItsEnd() {
        for time in stride(from: 0, through: 2000, by: 50) { burst.add(at: at(UInt64(time)), isCertain: true) }
        #expect(burst.due == at(2000))
        #expect(burst.end(at: at(2000), hasNewFolders: true, hasChanged: true) == .report)
        #expect(burst.due == at(2100))
        #expect(burst.end(at: at(2100), hasNewFolders: false, hasChanged: false) == .report)
        #expect(burst.due == nil)
    }
}
