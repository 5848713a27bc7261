// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Call {
    /// The call as a request of Foundation's. Nothing is sent.
    ///
    /// The client's headers, the timeout and a body in memory are in it; a body that is not in memory, and what
    /// interceptors add, is not. Foundation joins header fields of the same name.
    ///
    /// - Throws: ``ClientError`` with what is wrong with the call.
    public func urlRequest() throws -> URLRequest {
        let request = try request()
        do {
            var urlRequest = try URLRequest(request)
            if case .bytes(let bytes) = body?.storage { urlRequest.httpBody = Data(bytes) }
            urlRequest.timeoutInterval = (options(.wholeResponse).timeout ?? Self.longTime) / .seconds(1)
            return urlRequest
        } catch {
            throw ClientError(error, request: request)
        }
    }

    /// A year: Foundation has no word for no limit, and traps on Linux if the interval is infinite.
    private static let longTime = Duration.seconds(365 * 24 * 3600)
}
