// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    private import RepriseIO
    internal import RepriseConnections

    extension TransportError {
        init(_ error: ConnectionError) {
            var underlying: (any Error)?
            let code: Code =
                switch error.kind {
                case .invalidRequest: .invalidRequest
                case .nameNotResolved: .nameNotResolved
                case .connectionRefused: .connectionRefused
                case .unreachable: .offline
                case .connectTimeout, .headTimeout, .totalTimeout: .timedOut
                case .reset: .reset
                case .truncated: .truncated
                case .malformedResponse: .malformedResponse
                case .proxy: .proxy
                case .cancelled: .cancelled
                case .tls(let cause): cause.kind == .pinMismatch ? .pinning : .tls
                case .shutDown, .system: .other
                case .requestBody: .requestBody
                }
            if case .requestBody(let thrown) = error.kind { underlying = thrown }
            self.init(code, error.message, underlying: underlying)
        }
    }
#endif
