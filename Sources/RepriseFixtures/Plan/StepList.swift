// SPDX-License-Identifier: Apache-2.0

/// The steps of a plan while it is made: pauses that follow each other become one, and none is zero.
struct StepList {
    /// The steps so far, without a pause at the end.
    private(set) var steps: [ResponsePlan.Step] = []
    /// The number of content bytes in `steps`.
    private(set) var byteCount = 0
    private var pendingWait = Duration.zero

    /// The longest pause, about thirty years: a sum of pauses stays far from where `Duration` overflows.
    static let longestWait = Duration.seconds(1_000_000_000)

    /// A pause before the next step; one that is not longer than zero is left out.
    mutating func wait(_ duration: Duration) {
        guard duration > .zero else { return }
        pendingWait = min(pendingWait + min(duration, Self.longestWait), Self.longestWait)
    }

    /// The step after the pauses asked for so far.
    mutating func append(_ step: ResponsePlan.Step) {
        if case .wait(let duration) = step { return wait(duration) }
        if pendingWait > .zero {
            steps.append(.wait(pendingWait))
            pendingWait = .zero
        }
        if case .bytes(let source) = step { byteCount += source.count }
        steps.append(step)
    }

    /// Has the last chunk be the start of one of which `missing` bytes never come; without one, a chunk begins here.
    mutating func breakLastChunk(missing: Int) {
        if case .bytes(.bytes(let bytes))? = steps.last {
            steps[steps.count - 1] = .partialChunk(bytes, missing: missing)
        } else {
            append(.partialChunk([], missing: missing))
        }
    }

    /// The steps of `other`, and the pause that it ends with.
    mutating func append(_ other: StepList) {
        for step in other.steps { append(step) }
        wait(other.pendingWait)
    }

    /// Forgets the pauses since the last step.
    mutating func dropPendingWait() {
        pendingWait = .zero
    }
}
