// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import Reprise

    /// A request in progress, which creates the errors for its failures.
    struct PendingRequest: Sendable {
        let request: HTTPRequest
        let options: RequestOptions

        /// Returns the error for a failure before the response or in its body.
        ///
        /// - Parameter isInBody: Whether the head had arrived.
        func failure(_ error: any Error, isInBody: Bool) -> TransportError {
            if error as? HTTPClientError == .deadlineExceeded { return late(isInBody: isInBody, underlying: error) }
            let cause = Cause(error, host: host, isInBody: isInBody)
            let underlying = (error as? UploadFailure)?.cause ?? error
            return TransportError(cause.code, "\(origin): \(cause.text)", underlying: underlying)
        }

        /// Returns the error for a request that exceeded its timeout.
        ///
        /// - Parameter isInBody: Whether the head had arrived.
        func late(isInBody: Bool, underlying: (any Error)? = nil) -> TransportError {
            let isAboutHead = options.timeoutScope == .head && !isInBody
            let missing = isAboutHead ? "the head of the response" : "the response"
            let limit = options.timeout.map { "after \($0)" } ?? "in time"
            return TransportError(.timedOut, "\(origin): \(missing) was not complete \(limit)", underlying: underlying)
        }

        /// The origin for messages, without user name and password.
        private var origin: String { "\(request.scheme ?? "http")://\(peer)" }

        private var peer: Substring {
            (request.authority ?? "").split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        }

        private var host: String {
            guard let colon = peer.lastIndex(of: ":"), !peer[colon...].contains("]") else { return String(peer) }
            return String(peer[..<colon])
        }
    }
#endif
