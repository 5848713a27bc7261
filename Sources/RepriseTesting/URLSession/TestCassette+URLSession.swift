// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension TestCassette {
    /// A new ephemeral configuration for URL sessions whose requests this cassette answers and records, in any task and
    /// on any thread. Its cookies and credentials are kept in memory and belong to this configuration alone.
    ///
    /// ```swift
    /// let configuration = cassette.sessionConfiguration
    /// let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    /// ```
    ///
    /// `URLSession.shared` needs no configuration. On Apple platforms, default and ephemeral configurations that the
    /// code creates while the cassette is open don't either. After the test, the requests of the session fail.
    public var sessionConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // A cached response would not come from the cassette.
        configuration.urlCache = nil
        let type = SessionCassettes.newClass(for: self, in: configuration)
        configuration.protocolClasses = [type] + (configuration.protocolClasses ?? [])
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
    ///
    /// The wait is limited, because a transport may ignore the cancellation. A recording names such a request.
    func waitForCanceled() async {
        let canceled = state.withLock { $0.running.values.filter(\.isCancelled) }
        guard !canceled.isEmpty else { return }
        let (isOver, over) = AsyncStream.makeStream(of: Never.self)
        let timer = Task {
            try? await Task.sleep(for: Self.longestWait)
            over.finish()
        }
        Task {
            for task in canceled { await task.value }
            over.finish()
        }
        for await _ in isOver {}
        timer.cancel()
    }

    private static let longestWait = Duration.seconds(5)

    func cancel() {
        for task in state.withLock({ $0.running.values }) { task.cancel() }
    }
}
