// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension ViewScan {
    /// Looks for secrets in the parts of a multipart body (RFC 2046 section 5.1).
    mutating func lookAtParts(_ text: Span<UInt8>, boundary: [UInt8]) {
        for part in MultipartParts.ranges(in: text, boundary: boundary) { lookAtPart(text, part) }
    }

    private static let dashes = Array("--".utf8)
    private static let contentField = Array("content-".utf8)

    /// Looks for secrets in a multipart body whose type is not declared. Returns `false` for any other text.
    mutating func lookAtPartsWithoutType(_ text: Span<UInt8>, at first: Int) -> Bool {
        guard text.has(Self.dashes, at: first) else { return false }
        let end = text.lineEnd(from: first)
        guard 3...202 ~= end - first else { return false }
        let field = text.firstVisible(from: end)
        guard text.hasWord(Self.contentField, at: field) else { return false }
        lookAtParts(text, boundary: Array(bytes: text.extracting(first + 2..<end)))
        return true
    }

    private mutating func lookAtPart(_ text: Span<UInt8>, _ range: Range<Int>) {
        let part = text.extracting(range)
        guard let end = PartHeaders.end(in: part, from: 0) else { return }
        let headers = PartHeaders.lines(part.extracting(0..<end))
        let content = range.lowerBound + end..<range.upperBound
        let type = headers.firstValue(named: "Content-Type").map { Array($0.utf8) }
        let kind = BodyKind(contentType: type)
        if case .multipart(let boundary) = kind {
            guard open(.part(at: content.lowerBound)) else { return }
            lookAtParts(text.extracting(content), boundary: boundary)
            return close()
        }
        let disposition = headers.firstValue(named: "Content-Disposition").map { Array($0.utf8) }
        var verdict: Verdict?
        if let name = disposition.flatMap({ HeaderParameters.value(of: "name", in: $0) }) {
            let slice = name[...]
            verdict = rules.names.verdict(of: slice.span, in: .form)
        }
        guard kind != .opaque || verdict != nil else { return }
        visit(text, content, verdict)
    }
}

/// The parts of a multipart body (RFC 2046 section 5.1).
enum MultipartParts {
    /// Returns the ranges of the parts with their header lines. The last one can be cut off.
    static func ranges(in text: Span<UInt8>, boundary: [UInt8]) -> [Range<Int>] {
        let delimiter = MultipartDelimiter(boundary: boundary)
        var parts: [Range<Int>] = []
        var line = 0
        var content: Int?
        while line < text.count {
            if case .delimiter(let end, let isLast) = delimiter.read(text, at: line, isLast: true, allowsEpilogue: true)
            {
                if let content { parts.append(content..<contentEnd(text, line, from: content)) }
                if isLast { return parts }
                content = end
                line = end
            } else {
                line = text.firstIndex(of: 0x0A, in: line..<text.count).map { $0 + 1 } ?? text.count
            }
        }
        if let content, content < text.count { parts.append(content..<text.count) }
        return parts
    }

    /// Returns the names and the ranges of the values of the fields that are not files.
    static func fields(in text: Span<UInt8>, boundary: [UInt8]) -> [(name: [UInt8], value: Range<Int>)] {
        var fields: [(name: [UInt8], value: Range<Int>)] = []
        for range in ranges(in: text, boundary: boundary) {
            let part = text.extracting(range)
            guard let end = PartHeaders.end(in: part, from: 0) else { continue }
            let headers = PartHeaders.lines(part.extracting(0..<end))
            guard let disposition = headers.firstValue(named: "Content-Disposition").map({ Array($0.utf8) }),
                let name = HeaderParameters.value(of: "name", in: disposition),
                HeaderParameters.value(of: "filename", in: disposition) == nil
            else { continue }
            fields.append((Array(name), range.lowerBound + end..<range.upperBound))
        }
        return fields
    }

    /// The end of the content before the line of a delimiter.
    private static func contentEnd(_ text: Span<UInt8>, _ line: Int, from start: Int) -> Int {
        var end = line
        if end > start, text[end - 1] == 0x0A { end -= 1 }
        if end > start, text[end - 1] == 0x0D { end -= 1 }
        return end
    }
}
