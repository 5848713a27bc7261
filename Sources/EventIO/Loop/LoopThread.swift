// SPDX-License-Identifier: Apache-2.0

private import CLibevent

/// A POSIX thread that runs one function of a loop.
struct LoopThread: Sendable {
    private let handle: UInt

    /// Starts a thread that calls `body` with `loop` and keeps `loop` alive until `body` returns.
    init(loop: EventLoop, body: @escaping @Sendable (EventLoop) -> Void) throws(SystemError) {
        let start = unsafe Unmanaged.passRetained(Start(loop: loop, body: body))
        var handle: UInt = 0
        let code = unsafe shim_thread_start(&handle, runLoopThread, start.toOpaque())
        guard code == 0 else {
            unsafe start.release()
            throw SystemError(code: code, call: "pthread_create")
        }
        self.handle = handle
    }

    /// Waits for the thread's end.
    func join() {
        shim_thread_join(handle)
    }

    /// Lets the thread end by itself.
    func detach() {
        shim_thread_detach(handle)
    }

    fileprivate final class Start {
        let loop: EventLoop
        let body: @Sendable (EventLoop) -> Void

        init(loop: EventLoop, body: @escaping @Sendable (EventLoop) -> Void) {
            self.loop = loop
            self.body = body
        }
    }
}

/// Which loop the calling thread belongs to.
enum CurrentLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = unsafe pthread_key_create(&key, nil)
        precondition(code == 0, "no thread-specific storage is left")
        return key
    }()

    static func isCurrent(_ loop: EventLoop) -> Bool {
        unsafe pthread_getspecific(key) == UnsafeMutableRawPointer(Unmanaged.passUnretained(loop).toOpaque())
    }

    /// Runs `body` with the calling thread belonging to `loop`.
    static func with(_ loop: EventLoop, _ body: () -> Void) {
        let previous = unsafe pthread_getspecific(key)
        unsafe pthread_setspecific(key, Unmanaged.passUnretained(loop).toOpaque())
        body()
        unsafe pthread_setspecific(key, previous)
    }

    /// Sets up the calling thread as one that writes to sockets: a peer that is gone is an error, not a signal.
    static func prepareThread(name: String) {
        shim_block_broken_pipe()
        // Linux refuses names over 15 bytes instead of cutting them.
        unsafe shim_name_thread(String(decoding: name.utf8.prefix(15), as: UTF8.self))
    }
}

private func runLoopThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let start = unsafe Unmanaged<LoopThread.Start>.fromOpaque(context).takeRetainedValue()
    start.body(start.loop)
    return nil
}
