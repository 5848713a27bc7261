// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Builds the steps of a plan. Consecutive pauses are merged, and empty pauses are omitted.
package struct StepList {
    /// The steps so far, without a final pause.
    package private(set) var steps: [ResponsePlan.Step] = []
    /// The number of content bytes in `steps`.
    package private(set) var byteCount = 0
    private var pendingWait = Duration.zero

    package init() {}

    /// The longest pause, about thirty years. This keeps sums of pauses far from overflowing `Duration`.
    static let longestWait = Duration.seconds(1_000_000_000)

    /// Adds a pause before the next step. Durations of zero or less are ignored.
    package mutating func wait(_ duration: Duration) {
        guard duration > .zero else { return }
        pendingWait = min(pendingWait + min(duration, Self.longestWait), Self.longestWait)
    }

    /// Appends the pending pause, if any, and a step.
    package mutating func append(_ step: ResponsePlan.Step) {
        if case .wait(let duration) = step { return wait(duration) }
        if pendingWait > .zero {
            steps.append(.wait(pendingWait))
            pendingWait = .zero
        }
        if case .bytes(let source) = step { byteCount += source.count }
        steps.append(step)
    }

    /// Turns the last chunk into the start of a chunk that lacks `missing` bytes. If there is no chunk, starts an
    /// empty one.
    package mutating func breakLastChunk(missing: Int) {
        if case .bytes(.bytes(let bytes))? = steps.last {
            steps[steps.count - 1] = .partialChunk(bytes, missing: missing)
        } else {
            append(.partialChunk([], missing: missing))
        }
    }

    /// Appends the steps of `other` and its final pause.
    package mutating func append(_ other: StepList) {
        for step in other.steps { append(step) }
        wait(other.pendingWait)
    }

    /// Discards the pause since the last step.
    package mutating func dropPendingWait() {
        pendingWait = .zero
    }
}
