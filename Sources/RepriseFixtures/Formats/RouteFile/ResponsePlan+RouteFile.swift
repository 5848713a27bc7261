// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText

extension ResponsePlan {
    /// Creates a plan for the route file called `name`: exactly `body`, with the header fields for its extension.
    ///
    /// Event streams and newline-delimited JSON are sent in chunks, one per event or line, if the file is in memory.
    /// All other responses have a Content-Length. Those to GET and HEAD with status 200 have an entity tag too, and
    /// evaluate the request's conditions.
    ///
    /// - Parameters:
    ///   - name: The parsed name of the file.
    ///   - body: The content of the file.
    ///   - entityTag: The value of the ETag line, with its quotes.
    ///   - lines: Further header lines (``RouteFileHeaders``), which replace those with the same name.
    /// - Throws: ``RouteFileError`` if the status allows no content and the file is not empty.
    init(
        routeFile name: RouteFileName,
        body: ByteSource,
        entityTag: String? = nil,
        lines: [HeaderLine] = []
    ) throws(RouteFileError) {
        // The response to HEAD describes the content of the corresponding GET.
        let isHead = name.method == "HEAD"
        guard Framing.allowsContent(method: isHead ? "GET" : name.method, status: name.status) else {
            guard body.count == 0 else { throw .contentNotAllowed(status: name.status, count: body.count) }
            self.init(status: name.status, headers: lines, content: [], framing: .none)
            return
        }
        let type = ContentType.named(byExtension: name.fileExtension)
        if !isHead, Self.isStream(fileExtension: name.fileExtension) {
            let chunks = Self.chunks(fileExtension: name.fileExtension, body: body)
            var headers = ["Content-Type: \(type)", "Transfer-Encoding: chunked"]
            if name.fileExtension == "sse" { headers.insert("Cache-Control: no-cache", at: 1) }
            self.init(
                status: name.status,
                headers: Self.merge(headers, lines),
                content: chunks,
                framing: .chunked
            )
            return
        }
        var headers = ["Content-Type: \(type)", "Content-Length: \(body.count)"]
        if name.fileExtension.isEmpty, body.count == 0 { headers.removeFirst() }
        let tag = name.hasEntityTag ? entityTag : nil
        if let tag { headers += ["ETag: \(tag)", "Accept-Ranges: bytes"] }
        self.init(
            status: name.status,
            headers: Self.merge(headers, lines),
            content: isHead || body.count == 0 ? [] : [body],
            framing: isHead ? .none : .contentLength
        )
        evaluatesConditions = tag != nil
    }

    private static func merge(_ texts: [String], _ lines: [HeaderLine]) -> [HeaderLine] {
        texts.compactMap { HeaderLine($0) }.filter { own in !lines.contains { $0.hasName(own.name) } } + lines
    }

    /// Creates a plan for a file that is served as it is, with the content type for its extension.
    init(file body: ByteSource, fileExtension: String, entityTag: String) {
        let headers = [
            "Content-Type: \(ContentType.named(byExtension: fileExtension))", "Content-Length: \(body.count)",
            "ETag: \(entityTag)", "Accept-Ranges: bytes",
        ]
        self.init(
            status: 200,
            headers: Self.merge(headers, []),
            content: body.count == 0 ? [] : [body],
            framing: .contentLength
        )
        evaluatesConditions = true
    }

    /// Whether a file with `fileExtension` is sent in chunks.
    static func isStream(fileExtension: String) -> Bool {
        ["sse", "ndjson", "jsonl"].contains(fileExtension)
    }

    private static func chunks(fileExtension: String, body: ByteSource) -> [ByteSource] {
        guard case .bytes(let bytes) = body else { return [body] }
        let ranges = fileExtension == "sse" ? StreamChunks.events(bytes) : StreamChunks.lines(bytes)
        return ranges.map { .bytes(Array(bytes[$0])) }
    }

    private init(status: Int, headers: [HeaderLine], content: [ByteSource], framing: Framing) {
        let head = ResponseHead(
            status: status,
            reason: ReasonPhrase.standard(for: status),
            headers: headers
        )
        self.init(steps: [.head(head)] + content.map { .bytes($0) } + [.end(.complete)], framing: framing)
    }
}

/// The reason a route file cannot be served.
enum RouteFileError: Error, Hashable, CustomStringConvertible {
    /// The status allows no content (RFC 9110 section 6.4.1), but the file has `count` bytes.
    case contentNotAllowed(status: Int, count: Int)

    var description: String {
        switch self {
        case .contentNotAllowed(let status, let count):
            "expected an empty file, because an answer with status \(status) has no content, found \(count) bytes"
        }
    }
}

extension RouteFileName {
    /// Whether the answer has an entity tag: it is the content of the path, and not a stream, an error, or the result
    /// of an action.
    var hasEntityTag: Bool {
        status == 200 && (method == "GET" || method == "HEAD") && !ResponsePlan.isStream(fileExtension: fileExtension)
    }
}
