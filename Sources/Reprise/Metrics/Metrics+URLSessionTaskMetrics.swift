// SPDX-License-Identifier: Apache-2.0

#if !canImport(FoundationNetworking)
    internal import Foundation

    extension Metrics {
        /// Creates metrics for a task's last request.
        init?(_ metrics: URLSessionTaskMetrics) {
            guard let last = metrics.transactionMetrics.last else { return nil }
            self.init(
                dns: Self.duration(last.domainLookupStartDate, last.domainLookupEndDate),
                // The system counts the TLS handshake as part of connecting.
                connect: Self.duration(last.connectStartDate, last.secureConnectionStartDate ?? last.connectEndDate),
                tls: Self.duration(last.secureConnectionStartDate, last.secureConnectionEndDate),
                firstByte: Self.duration(last.fetchStartDate, last.responseStartDate),
                isConnectionReused: last.isReusedConnection
            )
        }

        private static func duration(_ start: Date?, _ end: Date?) -> Duration? {
            guard let start, let end else { return nil }
            return .seconds(max(end.timeIntervalSince(start), 0))
        }
    }
#endif
