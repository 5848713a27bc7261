// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension ResponsePlan {
    /// Returns the plan for a request with these conditions, or `nil` if it is this plan.
    ///
    /// Pure, so that the server and a transport without connections answer alike. Only a plan that
    /// ``evaluatesConditions`` has another answer.
    package func answering(_ conditions: RequestConditions) -> ResponsePlan? {
        guard evaluatesConditions, let head else { return nil }
        let count = contentCount
        var conditions = conditions
        if !head.headers.contains(where: { $0.hasName("Accept-Ranges") && $0.lists("bytes") }) {
            conditions.range = nil
        }
        let tag = head.headers.firstValue(named: "ETag").flatMap { EntityTag($0) }
        switch conditions.selection(of: count, tag: tag) {
        case .whole: return nil
        case .part(let part): return selecting(part, of: count, head)
        case .notModified: return withoutContent(head, 304, "Not Modified")
        case .preconditionFailed: return withoutContent(head, 412, "Precondition Failed")
        case .unsatisfiable:
            let line = HeaderLine(name: "Content-Range", value: "bytes */\(count)")
            return withoutContent(head, 416, "Range Not Satisfiable", line)
        }
    }

    /// The number of content bytes.
    private var contentCount: Int {
        steps.reduce(0) { count, step in
            if case .bytes(let source) = step { count + source.count } else { count }
        }
    }

    private func selecting(_ part: Range<Int>, of count: Int, _ head: ResponseHead) -> ResponsePlan {
        var head = head
        head.status = 206
        head.reasonBytes = Array("Partial Content".utf8)
        head.headers.correctContentLength(to: part.count)
        let place = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"
        head.headers.append(HeaderLine(name: "Content-Range", value: place))
        var selected: [Step] = []
        var start = 0
        for step in steps {
            switch step {
            case .head: selected.append(.head(head))
            case .bytes(let source):
                let own = part.clamped(to: start..<start + source.count)
                if !own.isEmpty {
                    selected.append(.bytes(source.selecting(own.lowerBound - start..<own.upperBound - start)))
                }
                start += source.count
            default: selected.append(step)
            }
        }
        return ResponsePlan(steps: selected, framing: framing)
    }

    /// Returns an answer that describes no content. It keeps the lines for the browser, such as cookies.
    private func withoutContent(
        _ head: ResponseHead,
        _ status: Int,
        _ reason: String,
        _ line: HeaderLine? = nil
    ) -> ResponsePlan {
        var lines = head.headers.filter { line in
            !Self.describingLines.contains { line.hasName($0) }
        }
        if let line { lines.append(line) }
        let framing: Framing = status == 304 ? .none : .contentLength
        if framing == .contentLength { lines.append(HeaderLine(name: "Content-Length", value: "0")) }
        let head = ResponseHead(status: status, reason: reason, headers: lines)
        return ResponsePlan(steps: [.head(head), .end(.complete)], framing: framing)
    }

    /// The lines that describe the content and must not be sent without it (RFC 9110 section 15.4.5).
    private static let describingLines = [
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Range",
    ]
}

extension ByteSource {
    fileprivate func selecting(_ part: Range<Int>) -> ByteSource {
        switch self {
        case .bytes(let bytes): return .bytes(Array(bytes[part]))
        case .file(var file):
            file.offset += part.lowerBound
            file.size = part.count
            return .file(file)
        }
    }
}
