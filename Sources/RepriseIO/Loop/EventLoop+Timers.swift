// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
    /// Has `target` called at `time`, or as soon as possible if that is past; loop thread only.
    ///
    /// Timers due at the same time fire in the order in which they were scheduled. The loop keeps `target` alive until
    /// the timer has fired or is cancelled.
    @discardableResult
    public func schedule(_ target: any TimerTarget, at time: MonotonicTime) -> TimerToken {
        assert(isCurrent)
        guard !hasEnded else { return .none }
        let token = timers.insert(target, at: time)
        if !isFiringTimers { alarm?.set(for: timers.earliest) }
        return token
    }

    /// Forgets a timer; nothing happens if it has fired already or is cancelled. Loop thread only.
    public func cancel(_ token: TimerToken) {
        assert(isCurrent)
        // The alarm stays as it is: an idle wake-up is rarer and cheaper than a system call for each cancellation.
        timers.remove(token)
    }

    func alarmRang() {
        isFiringTimers = true
        // Timers scheduled from here on wait for the next turn, however early they are due: sockets come between.
        let limit = timers.nextSequence
        let now = MonotonicTime.now
        while let (token, target) = timers.removeFirst(dueBy: now, scheduledBefore: limit) {
            target.timerFired(token)
        }
        isFiringTimers = false
        alarm?.reset(for: timers.earliest)
    }
}
