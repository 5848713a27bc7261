// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// Schedules a call of `target` at `time`, or as soon as possible if that has passed; loop thread only.
    ///
    /// Timers due at the same time fire in the order in which they were scheduled. The loop keeps `target` alive
    /// until the timer has fired or is canceled.
    @discardableResult
    public func schedule(_ target: any TimerTarget, at time: MonotonicTime) -> TimerToken {
        assert(isCurrent)
        guard !hasEnded else { return .none }
        let token = timers.insert(target, at: time)
        if !isFiringTimers { alarm?.set(for: timers.earliest) }
        return token
    }

    /// Cancels a timer. Has no effect if it has fired or is already canceled. Loop thread only.
    public func cancel(_ token: TimerToken) {
        assert(isCurrent)
        // Leave the alarm set: an occasional needless wake-up costs less than a system call for each cancellation.
        timers.remove(token)
    }

    func alarmRang() {
        isFiringTimers = true
        // Timers that are scheduled after this point wait for the next turn even if they are due, so that sockets get a
        // turn in between.
        let limit = timers.nextSequence
        let now = MonotonicTime.now
        while let (token, target) = timers.removeFirst(dueBy: now, scheduledBefore: limit) {
            target.timerFired(token)
        }
        isFiringTimers = false
        alarm?.reset(for: timers.earliest)
    }
}
