// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The methods that a ``Listener`` calls on its loop's thread.
public protocol ListenerHandler: AnyObject {
    /// Called for each accepted connection. The descriptor is closed unless the handler keeps it.
    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor)

    /// Called when the process or the system is out of descriptors or memory. The listener pauses for 100 ms and then
    /// tries again. It does not call this method again until it has accepted all waiting connections.
    func listener(_ listener: Listener, paused error: SystemError)
}

/// Accepts the connections of a ``ListeningSocket`` on a loop. Loop thread only.
///
/// The loop keeps an open listener alive, and the listener keeps its socket and its handler alive.
public final class Listener: LoopResource {
    /// The loop on which the listener accepts connections.
    public let loop: EventLoop
    var slot = 0

    private var socket: ListeningSocket?
    /// The port; nil once the listener is closed.
    public var port: Int? { socket?.port }
    private var event: LoopEvent?
    private var handler: (any ListenerHandler)?
    private var resumption = TimerToken.none
    private var isShort = false

    /// The maximum number of connections to accept before the loop's other events take their turn.
    private static let connectionsPerTurn = 64

    /// Starts accepting connections.
    public init(_ socket: ListeningSocket, loop: EventLoop, handler: any ListenerHandler) throws(SystemError) {
        try loop.requireCurrent("listen")
        self.loop = loop
        self.socket = socket
        self.handler = handler
        let descriptor = socket.descriptor
        event = try unsafe .waiting(.read, of: descriptor, on: loop, target: self, callback: connectionsAreWaiting)
        loop.add(self)
    }

    /// Stops accepting connections and releases the socket. Unless the socket has another owner, further connections
    /// are refused.
    public func close() {
        guard let event else { return }
        self.event = nil
        // Free the event before the descriptor is closed, because its number may be reused and the backend would act
        // on the wrong descriptor.
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
                // The connection failed while it was waiting. The others are not affected.
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
    /// Resumes accepting after a pause.
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
