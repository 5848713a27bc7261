// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    internal import RepriseConnections

    extension Metrics {
        init(_ timings: ConnectionTimings) {
            self.init(firstByte: timings.firstByte, isConnectionReused: timings.isReused)
            guard !timings.isReused else { return }
            setSteps(resolved: timings.resolved, connected: timings.connected, secured: timings.secured)
        }
    }
#endif
