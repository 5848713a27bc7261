// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension TestCassette {
    /// A new default configuration for URL sessions whose requests this cassette answers and records, in any task and
    /// on any thread.
    ///
    /// ```swift
    /// let configuration = cassette.sessionConfiguration
    /// let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    /// ```
    ///
    /// `URLSession.shared` needs no configuration. On Apple platforms, default and ephemeral configurations that the
    /// code creates while the cassette is open don't either. After the test, the requests of the session fail.
    public var sessionConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        // A cached response would not come from the cassette.
        configuration.urlCache = nil
        configuration.protocolClasses = [sessionClass] + (configuration.protocolClasses ?? [])
        return configuration
    }
}

/// The running exchanges of URL sessions with a cassette.
final class SessionTasks: Sendable {
    private let state = Locked((last: 0, running: [Int: Task<Void, Never>]()))

    func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { state in
            state.last += 1
            let number = state.last
            let task = Task {
                await work()
                self.state.withLock { $0.running[number] = nil }
            }
            state.running[number] = task
            return task
        }
    }

    /// Waits for the exchanges whose tasks were canceled, so that they are recorded as such. A URL session reports the
    /// cancellation immediately.
    func waitForCanceled() async {
        for task in state.withLock({ $0.running.values.filter(\.isCancelled) }) { await task.value }
    }
}
