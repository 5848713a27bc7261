// SPDX-License-Identifier: Apache-2.0

internal import RepriseContentCoding

extension Response {
    /// Returns the response without the content codings gzip and deflate, as URLSession does: the content is decoded as
    /// it is read, and Content-Encoding and Content-Length are removed from the head.
    ///
    /// A part of coded content, in a response with status 206, cannot be decoded and stays as it is. So does content with
    /// any other coding.
    ///
    /// - Parameters:
    ///   - request: The request that the response answers.
    ///   - options: The options of the request.
    package func decoded(answering request: HTTPRequest, _ options: RequestOptions) -> Response {
        guard options.decodesContent, let field = headers[.contentEncoding], request.method != .head,
            ![204, 206, 304].contains(status.code), let codings = Inflater.Coding.list(field)
        else { return self }
        var response = self
        for coding in codings.reversed() { response.body = Body(DecodedBody(response.body, coding)) }
        response.headers[.contentEncoding] = nil
        response.headers[.contentLength] = nil
        response.rawHead = rawHead?.without(["content-encoding", "content-length"])
        return response
    }
}

extension HTTPRequest {
    /// Whether a transport asks for content in gzip. It does not for a range, because a part of coded content cannot be
    /// decoded, or for HEAD, because the length of the content would be missing.
    package var mayAskForGzip: Bool {
        method != .head && !headerFields.contains(.acceptEncoding) && !headerFields.contains(.range)
    }
}

extension RawHead {
    /// Returns the head without the field lines with these lowercase names.
    fileprivate func without(_ names: [String]) -> RawHead {
        var kept: [UInt8] = []
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
            if !names.contains(name) { kept += line + [0x0A] }
        }
        return RawHead(bytes: kept)
    }
}
