// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A POSIX thread that runs one function.
struct SystemThread: Sendable {
    private let handle: UInt

    /// Starts a thread that calls `body` once and then releases it.
    ///
    /// On this thread, writing to a closed connection or pipe fails with an error instead of raising SIGPIPE, no
    /// matter how the process handles that signal. On Darwin, this holds for sockets and for pipes prepared for it.
    ///
    /// - Parameters:
    ///   - name: The thread's name, for debuggers and `top`. Linux shows its first 15 bytes.
    ///   - yieldsToOthers: Whether other threads of the process run first while there are too few processors for all.
    init(name: String, yieldsToOthers: Bool = false, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = unsafe Unmanaged.passRetained(Start(name: name, yieldsToOthers: yieldsToOthers, body: body))
        var handle: UInt = 0
        let code = unsafe shim_thread_start(&handle, runThread, start.toOpaque())
        guard code == 0 else {
            unsafe start.release()
            throw SystemError(code: code, call: "pthread_create")
        }
        self.handle = handle
    }

    func join() {
        shim_thread_join(handle)
    }

    /// Stops tracking the thread, which ends when its function returns, or with the process.
    func detach() {
        shim_thread_detach(handle)
    }

    fileprivate final class Start {
        private let name: String
        private let yieldsToOthers: Bool
        private let body: @Sendable () -> Void

        init(name: String, yieldsToOthers: Bool, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.yieldsToOthers = yieldsToOthers
            self.body = body
        }

        func run() {
            shim_block_broken_pipe()
            // Linux rejects names longer than 15 bytes instead of truncating them.
            unsafe shim_name_thread(String(decoding: name.utf8.prefix(15), as: UTF8.self))
            if yieldsToOthers { shim_lower_thread_priority() }
            body()
        }
    }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<SystemThread.Start>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
