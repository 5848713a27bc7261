// SPDX-License-Identifier: Apache-2.0

private import Foundation
package import RepriseDocuments
private import RepriseStubs
package import RepriseText

/// The parts of one request that the conditions of stubs compare. Each part is decoded when it is first used, and only
/// once for all stubs.
///
/// Content of any size is compared with text. Content larger than ``maximumParsedSize`` is not parsed: it is neither
/// JSON, nor XML, nor a form, nor multipart. Used on one thread.
package final class DecodedRequest {
    /// The request.
    package let request: OwnedRequest
    /// `http` or `https`.
    package let scheme: String
    /// The address of the client, without a port.
    package let clientIP: String
    /// The port on which the request arrived; `nil` for a request in process.
    package let localPort: Int?
    /// What was taken off the path before it is compared: the prefix of a session, or nothing.
    package let basePath: String

    /// The work that may still be done for the request.
    package let budget: WorkBudget

    /// The largest content that is parsed, in bytes.
    package static let maximumParsedSize = 32 << 20
    /// The largest content after gzip is decoded, in bytes. Content that would be larger is not decoded.
    package static let maximumDecodedSize = 64 << 20

    /// Whether the work was interrupted by its limit. Then nothing that was found out about the request has a meaning.
    package var isInterrupted: Bool { budget.isInterrupted }

    /// Decodes a request.
    ///
    /// - Parameters:
    ///   - now: The time since the start of 1970, for dates relative to now; `nil` for the clock of this machine.
    ///   - steps: The steps that all regular expressions and comparisons of JSON and XML may take together.
    ///   - limit: When the work is interrupted.
    package init(
        _ request: OwnedRequest,
        scheme: String = "http",
        clientIP: String = "127.0.0.1",
        localPort: Int? = nil,
        basePath: String = "",
        now: Duration? = nil,
        steps: Int = WorkBudget.standardSteps,
        limit: WorkLimit = .none
    ) {
        self.request = request
        self.scheme = scheme
        self.clientIP = clientIP
        self.localPort = localPort
        self.basePath = basePath
        fixedNow = now
        budget = WorkBudget(steps: steps, limit: limit)
    }

    /// The time since the start of 1970, the same for all stubs.
    private(set) lazy var now: Duration = fixedNow ?? .seconds(Date().timeIntervalSince1970)
    private let fixedNow: Duration?

    /// The method.
    package var method: ArraySlice<UInt8> { request.head[request.ranges.method] }

    /// The path as sent.
    package private(set) lazy var path: ArraySlice<UInt8> = {
        let path = request.head[request.ranges.path]
        return path.isEmpty ? [UInt8(ascii: "/")] : path
    }()

    /// The path and query as sent. The `?` of an empty query is dropped.
    package private(set) lazy var rawURL: ArraySlice<UInt8> = {
        guard let query = request.ranges.query, !query.isEmpty else { return path }
        let start = request.ranges.path.lowerBound
        if !request.ranges.path.isEmpty, request.ranges.path.upperBound + 1 == query.lowerBound {
            return request.head[start..<query.upperBound]
        }
        return path + [UInt8(ascii: "?")] + request.head[query]
    }()

    /// The target, prepared to find how far those of stubs are from it.
    private(set) lazy var pathPattern: EditPattern? = EditPattern(path.span)
    private(set) lazy var urlPattern: EditPattern? =
        rawURL.count == path.count ? pathPattern : EditPattern(rawURL.span)

    /// The host without the port, as sent; `nil` if the request names none.
    package private(set) lazy var host: ArraySlice<UInt8>? = authority.host
    /// The port that the request names, or the default port of the scheme; `nil` if it names neither host nor port.
    package private(set) lazy var port: Int? = authority.port

    private lazy var authority: (host: ArraySlice<UInt8>?, port: Int?) = {
        guard let range = request.ranges.authority, !range.isEmpty else { return (nil, localPort) }
        let authority = request.head[range]
        let standard = scheme == "https" ? 443 : 80
        guard let colon = CanonicalHost.portColon(authority.span) else { return (authority, standard) }
        let index = authority.startIndex + colon
        let port = Int(String(decoding: authority[(index + 1)...], as: UTF8.self))
        return (authority[..<index], port ?? standard)
    }()

    /// The header fields. Names ignore case.
    package private(set) lazy var headers: RequestPairs = {
        var headers = RequestPairs(ignoringCase: true)
        var index = request.ranges.headerLines.lowerBound
        let request = request
        while let line = request.view.nextHeader(at: &index) {
            headers.entries.append(.init(name: request.head[line.name], value: request.head[line.value]))
        }
        return headers
    }()

    /// The query parameters, decoded.
    package private(set) lazy var query: RequestPairs =
        request.ranges.query.map { RequestPairs(form: request.head[$0]) } ?? RequestPairs()
    /// The cookies.
    package private(set) lazy var cookies: RequestPairs = {
        var cookies = RequestPairs()
        for field in headers.values(named: Array("cookie".utf8)) {
            cookies.entries += RequestCookie.cookies(in: field).map { .init(name: $0.name, value: $0.value) }
        }
        return cookies
    }()

    /// The fields of a form, decoded. Empty if the content is not a form.
    package private(set) lazy var form: RequestPairs = {
        guard let type = contentType, type.isForm, content.count <= Self.maximumParsedSize,
            budget.work(content.count * 2)
        else { return RequestPairs() }
        return RequestPairs(form: content)
    }()

    /// The content, without gzip. Empty if it is too large for the limit, so that the work is interrupted.
    package private(set) lazy var content: ArraySlice<UInt8> = {
        let content = request.content
        guard budget.mayRead(content.count) else { return [] }
        guard ContentText.isCompressed(content, headers) else { return content[...] }
        return budget.mayDecompress(content.count) ? ContentText.decompressed(content)[...] : []
    }()

    /// The content in UTF-8.
    package private(set) lazy var contentText: ArraySlice<UInt8> = ContentText.inUTF8(content, contentType)
    private(set) lazy var contentString = String(decoding: contentText, as: UTF8.self)

    /// The content as JSON, read as leniently as stub mappings; `nil` if it is not JSON.
    package private(set) lazy var json: JSONTree? = {
        let text = contentText
        return text.isEmpty ? nil : json(text)
    }()

    /// Returns a text as JSON, or `nil` if it is not JSON.
    func json(_ text: ArraySlice<UInt8>) -> JSONTree? {
        guard text.count <= Self.maximumParsedSize, budget.work(text.count * 8) else { return nil }
        return LenientJSON.tree(Array(text))
    }

    /// What JSONPaths look in.
    private(set) lazy var pathRoot: JSONTree? = Self.pathRoot(json, contentText)
    /// What JSONPaths have found in the content, by their text.
    var foundByPath: [ExactText: JSONPath.Result] = [:]

    /// The parts of multipart content. Empty if the content is not multipart.
    package private(set) lazy var parts: [MultipartPart] = {
        guard let type = contentType, type.isMultipart, content.count <= Self.maximumParsedSize,
            budget.work(content.count * 2)
        else { return [] }
        return MultipartPart.parts(of: content, type)
    }()

    private(set) lazy var contentType: MediaType? = headers.values(named: Array("content-type".utf8)).first.map {
        MediaType(Array($0))
    }

    /// The content as a value; `nil` bytes if it is empty.
    var contentValue: MatchedValue {
        let text = contentText
        return MatchedValue(text.isEmpty ? nil : text, in: self, isContent: true)
    }
}
