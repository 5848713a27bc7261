// SPDX-License-Identifier: Apache-2.0

import EventIO

/// The process's signals, as a sequence.
struct Signals {
    /// The signals, in the order in which they came.
    let received: AsyncStream<SignalSource.Signal>

    private let loop: EventLoop

    /// Takes over `signals` from now on.
    init(_ signals: [SignalSource.Signal]) async throws(SystemError) {
        let loop = try EventLoop(name: "signals")
        let (received, continuation) = AsyncStream.makeStream(of: SignalSource.Signal.self)
        self.loop = loop
        self.received = received
        let result: Result<Void, SystemError> = await withCheckedContinuation { installed in
            loop.execute {
                do throws(SystemError) {
                    // The loop keeps it for as long as it runs, which is as long as the process.
                    _ = try SignalSource(signals, loop: loop) { continuation.yield($0) }
                    installed.resume(returning: .success(()))
                } catch {
                    installed.resume(returning: .failure(error))
                }
            }
        }
        try result.get()
    }
}
