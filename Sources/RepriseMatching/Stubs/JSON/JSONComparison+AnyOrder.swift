// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

extension JSONComparison {
    /// Below this number of elements, comparing them is faster than hashing them.
    private static let fewElements = 8

    /// Finds a different element of `actual` for each expected one, regardless of order: for as many as possible if
    /// `isPartialEnough` is set, and otherwise for all, or `nil`.
    func places(
        of expected: [ExpectedJSON],
        in actual: [JSONTree],
        isPartialEnough: Bool
    ) -> [Int?]? {
        var places = [Int?](repeating: nil, count: expected.count)
        var isFree = [Bool](repeating: true, count: actual.count)
        // An element with a hash accepts only equal values, and these are interchangeable. It therefore does not matter
        // which of them it takes, or that it takes one before the elements without a hash.
        let hashes = expected.count > Self.fewElements && expected.contains { $0.hash != nil }
        if hashes {
            guard placeExactly(expected, actual, &places, &isFree, isPartialEnough) else { return nil }
        }
        let open = expected.indices.filter { places[$0] == nil && (expected[$0].hash == nil || !hashes) }
        let free = actual.indices.filter { isFree[$0] }
        guard isPartialEnough || open.count <= free.count else { return nil }
        var assignment = Assignment(rows: open, columns: free, budget: budget)
        for row in open.indices {
            let isPlaced = assignment.place(row) { left, right in
                budget.take() && matches(expected[left], actual[right])
            }
            guard !budget.isSpent, isPlaced || isPartialEnough else { return nil }
        }
        for row in open.indices { places[open[row]] = assignment.column(of: row) }
        return places
    }

    private func placeExactly(
        _ expected: [ExpectedJSON],
        _ actual: [JSONTree],
        _ places: inout [Int?],
        _ isFree: inout [Bool],
        _ isPartialEnough: Bool
    ) -> Bool {
        var byHash: [Int: [Int]] = [:]
        byHash.reserveCapacity(actual.count)
        for index in actual.indices.reversed() {
            guard budget.take() else { return false }
            let hash = actual[index].valueHash(ignoringArrayOrder: options.ignoresArrayOrder)
            byHash[hash, default: []].append(index)
        }
        for index in expected.indices {
            guard let hash = expected[index].hash else { continue }
            // Values with the same hash are equal, except for collisions, which practically never happen.
            if let place = byHash[hash]?.popLast(), matches(expected[index], actual[place]) {
                places[index] = place
                isFree[place] = false
            } else if !isPartialEnough {
                return false
            }
        }
        return true
    }
}

/// Assigns columns to rows, one each, to as many rows as possible: a maximum matching, by augmenting paths. It takes
/// rows × columns steps for each row, where trying all orders would take the factorial.
private struct Assignment {
    let rows: [Int]
    let columns: [Int]
    private var rowOfColumn: [Int?]
    private var columnOfRow: [Int?]
    /// Which pairs are known to fit (1) or not (2). Empty until it is needed, and if there are too many pairs.
    private var known: [UInt8] = []
    /// Each pair that is looked up takes a step.
    private let budget: WorkBudget

    init(rows: [Int], columns: [Int], budget: WorkBudget) {
        self.rows = rows
        self.columns = columns
        self.budget = budget
        rowOfColumn = Array(repeating: nil, count: columns.count)
        columnOfRow = Array(repeating: nil, count: rows.count)
    }

    func column(of row: Int) -> Int? { columnOfRow[row].map { columns[$0] } }

    /// Assigns a column to `row`, if necessary by moving other rows. Returns `false` if that is impossible, or takes more
    /// steps than are left.
    mutating func place(_ row: Int, fits: (_ row: Int, _ column: Int) -> Bool) -> Bool {
        // Most arrays are in order.
        if row < columns.count, rowOfColumn[row] == nil, fits(rows[row], columns[row]) {
            rowOfColumn[row] = row
            columnOfRow[row] = row
            return true
        }
        prepareKnown()
        var cameFrom = [Int?](repeating: nil, count: columns.count)
        var queue = [row]
        var next = 0
        while next < queue.count {
            let current = queue[next]
            next += 1
            for column in columns.indices where cameFrom[column] == nil {
                guard budget.take() else { return false }
                guard isFit(current, column, fits) else { continue }
                cameFrom[column] = current
                guard let taken = rowOfColumn[column] else {
                    assign(column, cameFrom)
                    return true
                }
                queue.append(taken)
            }
        }
        return false
    }

    /// Assigns to each row on the path to `column` the column through which the path leaves it.
    private mutating func assign(_ column: Int, _ cameFrom: [Int?]) {
        var column: Int? = column
        while let current = column, let row = cameFrom[current] {
            column = columnOfRow[row]
            rowOfColumn[current] = row
            columnOfRow[row] = current
        }
    }

    private mutating func prepareKnown() {
        let (count, overflows) = rows.count.multipliedReportingOverflow(by: columns.count)
        guard known.isEmpty, !overflows, count <= 4_000_000 else { return }
        known = Array(repeating: 0, count: count)
    }

    private mutating func isFit(_ row: Int, _ column: Int, _ fits: (Int, Int) -> Bool) -> Bool {
        guard !known.isEmpty else { return fits(rows[row], columns[column]) }
        let index = row * columns.count + column
        if known[index] == 0 { known[index] = fits(rows[row], columns[column]) ? 1 : 2 }
        return known[index] == 1
    }
}
