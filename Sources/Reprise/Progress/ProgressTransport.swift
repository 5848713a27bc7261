// SPDX-License-Identifier: Apache-2.0

/// A transport that adds progress reports to the bodies of another transport.
struct ProgressTransport: RelayingTransport {
    let base: any Transport
    let meter: ProgressMeter

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        let upload = body.map { CountedUpload($0, meter: meter) }
        var response = try await base.send(request, body: upload?.body, options: options)
        upload?.answered()
        response.body = meter.downloading(response.body, after: request.resumed(by: response.head))
        return response
    }
}

extension HTTPRequest {
    /// Returns the range that a response has if the request resumes a download, so that the progress includes the bytes
    /// received before.
    fileprivate func resumed(by response: HTTPResponse) -> ContentRange? {
        guard headerFields[.ifRange] != nil, response.status == .partialContent else { return nil }
        return ContentRange(response)
    }
}
