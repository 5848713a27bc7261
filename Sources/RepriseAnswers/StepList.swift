// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The steps of a plan while it is made: pauses that follow each other become one, and none is zero.
package struct StepList {
    /// The steps so far, without a pause at the end.
    package private(set) var steps: [ResponsePlan.Step] = []
    /// The number of content bytes in `steps`.
    package private(set) var byteCount = 0
    private var pendingWait = Duration.zero

    package init() {}

    /// The longest pause, about thirty years: a sum of pauses stays far from where `Duration` overflows.
    static let longestWait = Duration.seconds(1_000_000_000)

    /// A pause before the next step; one that is not longer than zero is left out.
    package mutating func wait(_ duration: Duration) {
        guard duration > .zero else { return }
        pendingWait = min(pendingWait + min(duration, Self.longestWait), Self.longestWait)
    }

    /// The step after the pauses asked for so far.
    package mutating func append(_ step: ResponsePlan.Step) {
        if case .wait(let duration) = step { return wait(duration) }
        if pendingWait > .zero {
            steps.append(.wait(pendingWait))
            pendingWait = .zero
        }
        if case .bytes(let source) = step { byteCount += source.count }
        steps.append(step)
    }

    /// Has the last chunk be the start of one of which `missing` bytes never come; without one, a chunk begins here.
    package mutating func breakLastChunk(missing: Int) {
        if case .bytes(.bytes(let bytes))? = steps.last {
            steps[steps.count - 1] = .partialChunk(bytes, missing: missing)
        } else {
            append(.partialChunk([], missing: missing))
        }
    }

    /// The steps of `other`, and the pause that it ends with.
    package mutating func append(_ other: StepList) {
        for step in other.steps { append(step) }
        wait(other.pendingWait)
    }

    /// Forgets the pauses since the last step.
    package mutating func dropPendingWait() {
        pendingWait = .zero
    }
}
