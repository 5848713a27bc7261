// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension TransportError {
    /// Why a task of a URL session failed.
    init(_ error: any Error, for request: HTTPRequest) {
        var code = (error as? URLError).map { Code($0.code) } ?? .other
        #if canImport(FoundationNetworking)
            if let known = Code(curlMessage: error.localizedDescription) { code = known }
        #endif
        let message = "\(request.method) \(request.shownURL): \(error.localizedDescription)"
        self.init(code, message, underlying: error)
    }

    /// The server answered over a connection whose certificate was not checked against the pins.
    init(unchecked request: HTTPRequest) {
        self.init(
            .pinning,
            """
            \(request.method) \(request.shownURL): the server showed no certificate, because the connection resumed a TLS \
            session without pins or was made for another host. Give all transports for this host the same pins, and each \
            host a transport of its own
            """
        )
    }

    /// The time is up.
    init(timedOut request: HTTPRequest, after timeout: Duration) {
        self.init(.timedOut, "\(request.method) \(request.shownURL) took longer than \(timeout)")
    }
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
        /// What libcurl says, where Foundation on Linux makes of it an error that can mean anything.
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
                // What was not understood when the head was read, that is.
                ("Failed writing header", .malformedResponse),
            ]
            guard let code = known.first(where: { message.contains($0.part) })?.code else { return nil }
            self = code
        }
    }
#endif
