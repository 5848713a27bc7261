// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Where Foundation calls a URL protocol, and where it must be called back.
///
/// `@unchecked Sendable`: adding work to a queue or to a run loop is safe on any thread.
struct SessionClientQueue: @unchecked Sendable {
    #if canImport(FoundationNetworking)
        private let queue: DispatchQueue

        /// Nil if Foundation has changed.
        init?(of task: URLSessionTask?) {
            guard let queue = task?.reflected("workQueue") as? DispatchQueue else { return nil }
            self.queue = queue
        }

        func add(_ work: @escaping @Sendable () -> Void) {
            queue.async(execute: work)
        }
    #else
        private let loop: RunLoop
        private let modes: [RunLoop.Mode]

        /// Must be called in `startLoading`.
        init?(of task: URLSessionTask?) {
            loop = .current
            modes = [.default] + (loop.currentMode.map { [$0] } ?? [])
        }

        func add(_ work: @escaping @Sendable () -> Void) {
            loop.perform(inModes: modes, block: work)
            CFRunLoopWakeUp(loop.getCFRunLoop())
        }
    #endif
}
