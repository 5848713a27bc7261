// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Call {
    /// Returns the call as a Foundation request. Nothing is sent.
    ///
    /// The request has the client's headers, the timeout, and a body that is in memory. Any other body, and anything
    /// that interceptors add, is left out. Foundation joins header fields of the same name.
    ///
    /// - Throws: ``ClientError`` if the call is invalid.
    public func urlRequest() throws -> URLRequest {
        let request = try request()
        do {
            var urlRequest = try URLRequest(request)
            if case .bytes(let bytes) = body?.storage { urlRequest.httpBody = Data(bytes) }
            urlRequest.timeoutInterval = (options(.wholeResponse).timeout ?? Self.noLimit) / .seconds(1)
            return urlRequest
        } catch {
            throw ClientError(error, request: request)
        }
    }

    /// A year. Foundation has no value for "no limit", and traps on Linux if the interval is infinite.
    private static let noLimit = Duration.seconds(365 * 24 * 3600)
}
