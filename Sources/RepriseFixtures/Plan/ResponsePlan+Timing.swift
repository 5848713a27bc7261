// SPDX-License-Identifier: Apache-2.0

extension ResponsePlan {
    /// Whether everything can be written at once: a head and bytes in memory, with no pause and no fault. Such a plan
    /// is one block of bytes, whoever asks for it.
    public var isImmediate: Bool {
        steps.allSatisfy { step in
            switch step {
            case .head, .bytes(.bytes), .trailers, .end: true
            case .wait, .bytes(.file), .fault: false
            }
        }
    }

    /// The head; `nil` where the plan is a failure to answer.
    public var head: ResponseHead? {
        for case .head(let head) in steps { return head }
        return nil
    }

    /// The number of bytes of content, in memory and in files.
    public var byteCount: Int {
        steps.reduce(0) { sum, step in
            guard case .bytes(let source) = step else { return sum }
            return sum + source.count
        }
    }

    /// The pause before the head.
    public var latency: Duration {
        guard case .wait(let duration) = steps.first, head != nil else { return .zero }
        return duration
    }

    /// The same plan at another speed: the pause before the head is multiplied by `latency`, every other one by
    /// `pace`. Zero leaves pauses out, one keeps them. A stall is no pause: it lasts at any pace.
    ///
    /// - Parameters:
    ///   - latency: The factor for the pause before the head, zero or more.
    ///   - pace: The factor for the pauses between the steps after the head, zero or more.
    public func retimed(latency: Double, pace: Double) -> ResponsePlan {
        var retimed = StepList()
        var factor = latency
        for step in steps {
            switch step {
            case .wait(let duration): retimed.wait(duration.scaled(by: factor))
            case .head:
                retimed.append(step)
                factor = pace
            case .bytes, .trailers, .end, .fault: retimed.append(step)
            }
        }
        return ResponsePlan(steps: retimed.steps, framing: framing)
    }
}

extension Duration {
    /// This duration times `factor`, without ever overflowing; a factor that is no positive number gives zero.
    fileprivate func scaled(by factor: Double) -> Duration {
        if factor == 1 { return self }
        guard factor > 0 else { return .zero }
        let seconds = (self / .seconds(1)) * factor
        guard seconds < (StepList.longestWait / .seconds(1)) else { return StepList.longestWait }
        return .seconds(seconds)
    }
}
