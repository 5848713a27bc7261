// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The one system timer behind a loop's heap of timers.
///
/// On Linux a timerfd with absolute times, since epoll's own timeout counts in milliseconds; elsewhere libevent's
/// timer, which is precise over kqueue. The system is asked only when the alarm has to ring earlier than it would.
final class TimerAlarm {
    private let event: LoopEvent
    private var due: MonotonicTime?
    #if os(Linux) || os(Android)
        private let descriptor: Int32

        init(loop: EventLoop) throws(SystemError) {
            let descriptor = shim_timer_open()
            guard descriptor >= 0 else { throw SystemError.last("timerfd_create") }
            do throws(SystemError) {
                event = try unsafe LoopEvent(
                    .read,
                    of: descriptor,
                    on: loop.base,
                    target: loop,
                    callback: loopAlarmRang
                )
                self.descriptor = descriptor
                try event.add()
            } catch {
                closeDescriptor(descriptor)
                throw error
            }
        }

        func close() {
            event.free()
            closeDescriptor(descriptor)
        }

        private func arm(for time: MonotonicTime?) {
            // 0 would disarm; and arming also forgets the last expiry, so that the timerfd need never be read.
            shim_timer_arm(descriptor, time.map { max($0.nanoseconds, 1) } ?? 0)
        }
    #else
        init(loop: EventLoop) throws(SystemError) {
            event = try unsafe LoopEvent(.timeout, of: -1, on: loop.base, target: loop, callback: loopAlarmRang)
        }

        func close() {
            event.free()
        }

        private func arm(for time: MonotonicTime?) {
            guard let time else { return event.remove() }
            event.add(after: max(time - .now, .zero))
        }
    #endif

    /// Makes the alarm ring at `time` at the latest.
    func set(for time: MonotonicTime?) {
        guard let time, due.map({ time < $0 }) ?? true else { return }
        arm(for: time)
        due = time
    }

    /// Sets the alarm anew after it rang.
    func reset(for time: MonotonicTime?) {
        arm(for: time)
        due = time
    }
}

private func loopAlarmRang(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    unsafe target(context, as: EventLoop.self)?.alarmRang()
}
