// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// What a ``Listener`` reports to, on its loop's thread.
public protocol ListenerHandler: AnyObject {
    /// A connection was made. Who does not keep the descriptor closes it.
    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor)

    /// The process or the system is out of descriptors or memory. The listener pauses for 100 ms and tries again by
    /// itself; this is said once until all that waited have been accepted.
    func listener(_ listener: Listener, paused error: SystemError)
}

/// Accepts the connections of a ``ListeningSocket`` on a loop. Loop thread only.
///
/// An open listener is kept alive by its loop, and keeps its socket and its handler alive.
public final class Listener: LoopResource {
    /// The loop it accepts on.
    public let loop: EventLoop
    var slot = 0

    private var socket: ListeningSocket?
    private var event: LoopEvent?
    private var handler: (any ListenerHandler)?
    private var resumption = TimerToken.none
    private var isShort = false

    /// So many connections are accepted before the loop's other events have their turn.
    private static let connectionsPerTurn = 64

    /// Starts accepting.
    public init(_ socket: ListeningSocket, loop: EventLoop, handler: any ListenerHandler) throws(SystemError) {
        try loop.requireCurrent("listen")
        self.loop = loop
        self.socket = socket
        self.handler = handler
        event = try unsafe LoopEvent(
            .read,
            of: socket.descriptor,
            on: loop.base,
            target: self,
            callback: connectionsAreWaiting
        )
        loop.add(self)
        do throws(SystemError) {
            try event?.add()
        } catch {
            close()
            throw error
        }
    }

    /// Stops accepting and lets go of the socket: unless it has another owner, connections are refused from now on.
    public func close() {
        guard let event else { return }
        self.event = nil
        // Before the descriptor: the backend would look for a number that is another's by then.
        event.free()
        socket = nil
        loop.cancel(resumption)
        handler = nil
        loop.remove(self)
    }

    fileprivate func accept() {
        for _ in 0..<Self.connectionsPerTurn {
            guard let handler, let socket else { return }
            let descriptor = shim_accept(socket.descriptor)
            if descriptor >= 0 {
                handler.listener(self, accepted: SocketDescriptor(owning: descriptor))
                continue
            }
            switch errno {
            case EAGAIN:
                isShort = false
                return
            case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENOPROTOOPT, EOPNOTSUPP:
                // The connection failed while it waited: no concern of the others.
                continue
            default:
                pause(SystemError.last("accept"), handler)
                return
            }
        }
    }

    private func pause(_ error: SystemError, _ handler: any ListenerHandler) {
        event?.remove()
        resumption = loop.schedule(self, at: loop.now() + .milliseconds(100))
        if !isShort {
            isShort = true
            handler.listener(self, paused: error)
        }
    }
}

extension Listener: TimerTarget {
    /// Goes on after a pause.
    public func timerFired(_ token: TimerToken) {
        do throws(SystemError) {
            try event?.add()
        } catch {
            if let handler { pause(error, handler) }
        }
    }
}

private func connectionsAreWaiting(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    unsafe target(context, as: Listener.self)?.accept()
}
