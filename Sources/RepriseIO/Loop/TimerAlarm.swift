// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The single system timer behind a loop's timer heap.
///
/// On Linux it is a timerfd with absolute times, since epoll's own timeout has a resolution of a millisecond.
/// Elsewhere it is libevent's timer, which is precise with kqueue. The alarm makes a system call only when it has to
/// fire earlier than already scheduled.
final class TimerAlarm {
    private let event: LoopEvent
    private var due: MonotonicTime?
    #if os(Linux) || os(Android)
        private let descriptor: Int32

        init(loop: EventLoop) throws(SystemError) {
            let descriptor = shim_timer_open()
            guard descriptor >= 0 else { throw SystemError.last("timerfd_create") }
            do throws(SystemError) {
                event = try unsafe .waiting(.read, of: descriptor, on: loop, target: loop, callback: loopAlarmRang)
                self.descriptor = descriptor
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
            // 0 would disarm the timer. Arming also clears the last expiration, so the timerfd is never read.
            shim_timer_arm(descriptor, time.map { max($0.nanoseconds, 1) } ?? 0)
        }
    #else
        init(loop: EventLoop) throws(SystemError) {
            event = try unsafe LoopEvent(.timeout, on: loop, target: loop, callback: loopAlarmRang)
        }

        func close() {
            event.free()
        }

        private func arm(for time: MonotonicTime?) {
            guard let time else { return event.remove() }
            event.add(after: max(time - .now, .zero))
        }
    #endif

    func set(for time: MonotonicTime?) {
        guard let time, due.map({ time < $0 }) ?? true else { return }
        arm(for: time)
        due = time
    }

    func reset(for time: MonotonicTime?) {
        arm(for: time)
        due = time
    }
}

private func loopAlarmRang(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    unsafe target(context, as: EventLoop.self)?.alarmRang()
}
