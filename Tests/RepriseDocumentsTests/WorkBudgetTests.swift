// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import Testing

@Suite struct WorkBudgetTests {
    @Test func stepsThatAreNotLeftAreRefused() {
        let budget = WorkBudget(steps: 10)
        #expect(budget.take(7) && !budget.take(4) && budget.take(3))
        #expect(budget.remaining == 0 && budget.refusals == 1 && budget.isSpent && !budget.isInterrupted)
    }

    /// The whole has steps left, or the part has.
    @Test(arguments: [(100, 10), (10, 100)]) func partTakesStepsOfWholeAndRefusesOnce(whole: Int, part: Int) {
        let budget = WorkBudget(steps: whole)
        let part = budget.part(steps: part, unitsPerStep: 1)
        #expect(part.take(10) && !part.isSpent)
        #expect(budget.remaining == whole - 10)
        #expect(!part.take() && !part.take() && !part.take(0) && part.isSpent)
        #expect(budget.refusals == 1)
    }

    @Test func budgetThatSharesTimeHasItsOwnSteps() {
        let budget = WorkBudget(steps: 5, limit: .short)
        let other = WorkBudget(steps: 1_000_000, unitsPerStep: 40, sharingTimeOf: budget)
        #expect(budget.take(5) && !budget.take() && other.take(1000))
        #expect(!other.isSpent)
        // A millisecond is 100,000 units.
        #expect(!other.take(2000))
        #expect(other.isInterrupted && budget.isInterrupted && other.refusals == 0)
        #expect(!budget.work(0) && !other.take(1))
    }

    @Test(arguments: [1, 40]) func partOfSharedTimeIsInterruptedWithIt(unitsPerStep: Int) {
        let budget = WorkBudget(limit: .nothing)
        let other = WorkBudget(steps: 100, unitsPerStep: unitsPerStep, sharingTimeOf: budget)
        let part = other.part(steps: 9, unitsPerStep: 1)
        #expect(!part.take() && part.isInterrupted && budget.isInterrupted && budget.refusals == 0)
    }

    @Test(arguments: [true, false]) func limitIsAskedFromTimeToTime(isCancelled: Bool) {
        let budget = WorkBudget(limit: .until { isCancelled })
        #expect(budget.work(100_000))
        #expect(budget.work(1) == !isCancelled)
        #expect(budget.isInterrupted == isCancelled && budget.mayRead(1 << 40) == !isCancelled)
    }

    @Test(arguments: [(WorkLimit.none, true), (.short, false), (.nothing, false)])
    func largeContentIsLeftToLongerWork(limit: WorkLimit, isRead: Bool) {
        #expect(WorkBudget(limit: limit).mayRead(100_000) == isRead)
        #expect(WorkBudget(limit: limit).mayDecompress(1000) == isRead)
    }

    @Test func conditionWithoutResultIsNotRefuted() {
        let budget = WorkBudget(steps: 1)
        #expect(budget.refutes { false } && !budget.refutes { true })
        #expect(!budget.refutes { budget.take(2) })
    }
}
