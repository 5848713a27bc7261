// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The process's standard output or standard error, unbuffered.
public enum StandardStream: Sendable {
    /// Standard output.
    case output
    /// Standard error.
    case error

    private var descriptor: Int32 {
        switch self {
        case .output: STDOUT_FILENO
        case .error: STDERR_FILENO
        }
    }

    /// Whether the stream is a terminal.
    public var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Makes a write to a closed pipe fail with an error instead of a signal on Darwin, where the system sends
    /// SIGPIPE to the process and not to the thread. This affects all processes that share the pipe.
    func reportBrokenPipe() {
        shim_report_broken_pipe(descriptor)
    }

    /// Writes all bytes and waits for the reader as long as necessary.
    ///
    /// - Throws: ``SystemError`` if the reading end has been closed. In a process that has not called
    ///   ``ProcessLimits/ignoreBrokenPipe()``, the signal arrives first.
    public static func write(_ bytes: Span<UInt8>, to stream: StandardStream) throws(SystemError) {
        try unsafe bytes.withUnsafeBufferPointer { buffer throws(SystemError) in
            var rest = UnsafeRawBufferPointer(buffer)
            while unsafe !rest.isEmpty {
                let count = unsafe systemWrite(stream.descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if errno == EAGAIN {
                    // Another process that shares the terminal or pipe may have made it non-blocking.
                    var ready = pollfd(fd: stream.descriptor, events: Int16(POLLOUT), revents: 0)
                    unsafe _ = poll(&ready, 1, -1)
                    // Darwin cannot poll /dev/tty and returns immediately.
                    if ready.revents & Int16(POLLNVAL) != 0 { _ = poll(nil, 0, 10) }
                } else if errno != EINTR {
                    throw SystemError.last("write to standard \(stream)")
                }
            }
        }
    }

    /// Writes a string as UTF-8; see ``write(_:to:)-(Span<UInt8>,_)``.
    public static func write(_ text: String, to stream: StandardStream) throws(SystemError) {
        let bytes = Array(text.utf8)[...]
        try write(bytes.span, to: stream)
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
