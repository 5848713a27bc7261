// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    internal import RepriseConnections

    extension Metrics {
        /// Creates metrics from a connection's timings, with the duration of each step.
        init(_ timings: ConnectionTimings) {
            self.init(firstByte: timings.firstByte, isConnectionReused: timings.isReused)
            guard !timings.isReused else { return }
            dns = timings.resolved
            connect = timings.connected.map { $0 - (timings.resolved ?? .zero) }
            tls = timings.secured.map { $0 - (timings.connected ?? .zero) }
        }
    }
#endif
