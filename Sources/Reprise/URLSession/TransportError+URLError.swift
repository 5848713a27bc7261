// SPDX-License-Identifier: Apache-2.0

package import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension TransportError {
    /// Creates an error for a failed task of a URL session.
    init(_ error: any Error, for request: HTTPRequest) {
        var code = (error as? URLError).map { Code($0.code) } ?? .other
        #if canImport(FoundationNetworking)
            if let known = Code(curlMessage: error.localizedDescription) { code = known }
        #endif
        let message = "\(request.method) \(request.shownURL): \(error.localizedDescription)"
        self.init(code, message, underlying: error)
    }

    /// Creates an error for a response over a connection whose certificate was not checked against the pins.
    init(unchecked request: HTTPRequest) {
        self.init(
            .pinning,
            """
            \(request.method) \(request.shownURL): the certificate was not checked against the pins, because the \
            connection resumed a TLS session without pins or was made for another host; give all transports for this \
            host the same pins, and use a separate transport for each host
            """
        )
    }

    init(timedOut request: HTTPRequest, after timeout: Duration) {
        self.init(.timedOut, "\(request.method) \(request.shownURL) took longer than \(timeout)")
    }
}

extension URLError {
    /// Creates the error that a URL session reports for a failure of a transport. Its description is the whole message.
    package init(_ error: TransportError, url: URL?) {
        var info: [String: Any] = [NSLocalizedDescriptionKey: error.message, NSUnderlyingErrorKey: error]
        info[NSURLErrorFailingURLErrorKey] = url
        self.init(Self.codes[error.code] ?? .resourceUnavailable, userInfo: info)
    }

    private static let codes: [TransportError.Code: Code] = [
        .cancelled: .cancelled, .timedOut: .timedOut, .offline: .notConnectedToInternet,
        .nameNotResolved: .cannotFindHost, .connectionRefused: .cannotConnectToHost, .reset: .networkConnectionLost,
        .truncated: .networkConnectionLost, .tls: .secureConnectionFailed, .pinning: .serverCertificateUntrusted,
        .malformedResponse: .badServerResponse, .tooManyRedirects: .httpTooManyRedirects, .invalidRequest: .badURL,
        .requestBody: .requestBodyStreamExhausted,
    ]
}

extension TransportError.Code {
    init(_ code: URLError.Code) {
        self =
            switch code {
            case .cancelled, .userCancelledAuthentication: .cancelled
            case .timedOut: .timedOut
            case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: .offline
            case .cannotFindHost, .dnsLookupFailed: .nameNotResolved
            case .cannotConnectToHost: .connectionRefused
            case .networkConnectionLost: .reset
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                .tls
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
                .malformedResponse
            case .httpTooManyRedirects: .tooManyRedirects
            case .badURL, .unsupportedURL: .invalidRequest
            case .requestBodyStreamExhausted: .requestBody
            default: .other
            }
    }
}

#if canImport(FoundationNetworking)
    extension TransportError.Code {
        /// Creates a code from libcurl's message, for failures that have no code of their own in Foundation on Linux.
        fileprivate init?(curlMessage message: String) {
            let known: [(part: String, code: Self)] = [
                ("transfer closed with", .truncated),
                ("unexpected eof while reading", .truncated),
                ("Connection reset by peer", .reset),
                ("Empty reply from server", .reset),
                ("SSL", .tls),
                ("Illegal or missing hexadecimal sequence", .malformedResponse),
                ("Received HTTP/0.9", .malformedResponse),
                ("Unsupported HTTP version", .malformedResponse),
                // This error means that the head could not be parsed.
                ("Failed writing header", .malformedResponse),
            ]
            guard let code = known.first(where: { message.contains($0.part) })?.code else { return nil }
            self = code
        }
    }
#endif
