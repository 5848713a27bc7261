// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The number of bytes, or of answers, that the server may hold in memory at a time for one purpose, for all clients
/// together.
final class MemoryBudget: Sendable {
    let limit: Int
    private let held = Locked(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of bytes that are held.
    var heldCount: Int { held.withLock { $0 } }

    /// The part of the budget that one client takes, until this object is released.
    final class Share: Sendable {
        private let budget: MemoryBudget
        private let count = Locked(0)

        init(of budget: MemoryBudget) {
            self.budget = budget
        }

        deinit { budget.held.withLock { $0 -= count.withLock { $0 } } }

        /// Changes the size of the share to `size` bytes. Returns `false` if the budget is used up. The only share may have
        /// any size.
        func grow(to size: Int) -> Bool {
            count.withLock { count in
                let isGranted = budget.held.withLock { held in
                    let others = held - count
                    guard others == 0 || others + size <= budget.limit else { return false }
                    held = others + size
                    return true
                }
                if isGranted { count = size }
                return isGranted
            }
        }
    }
}
