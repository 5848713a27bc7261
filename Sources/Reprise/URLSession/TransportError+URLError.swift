// SPDX-License-Identifier: Apache-2.0

internal import Foundation
#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension TransportError {
    /// Why a task of a URL session failed.
    init(_ error: any Error, for request: HTTPRequest) {
        let code = (error as? URLError).map { Code($0.code) } ?? .other
        let message = "\(request.method) \(request.urlText): \(error.localizedDescription)"
        self.init(code, message, underlying: error)
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
