// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension DecodedTextScanner {
    /// Looks for secrets in the parts of a multipart body (RFC 2046 section 5.1).
    mutating func lookAtParts(_ text: Span<UInt8>, boundary: [UInt8]) {
        var reader = MultipartReader(text, boundary: boundary)
        while let part = reader.next(in: text) { lookAtPart(text, part) }
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

    private mutating func lookAtPart(_ text: Span<UInt8>, _ part: MultipartReader.Part) {
        guard part.hasContent else { return }
        let headers = MultipartReader.headerLines(in: text, part.headers)
        let content = part.content
        let type = headers.firstValue(named: "Content-Type").map { Array($0.utf8) }
        let kind = BodyKind(contentType: type)
        if case .multipart(let boundary) = kind {
            guard open(.part(at: content.lowerBound)) else { return }
            lookAtParts(text.extracting(content), boundary: boundary)
            return close()
        }
        let verdict = headers.verdict(rules.names)
        guard kind != .opaque || verdict != nil else { return }
        visit(text, content, verdict)
    }
}

extension [HeaderLine] {
    /// Returns the verdict on the name of a part with these header lines.
    func verdict(_ names: SecretNames) -> SecretNames.Verdict? {
        let disposition = firstValue(named: "Content-Disposition").map { [UInt8]($0.utf8) } ?? []
        guard let name = HeaderParameters.value(of: "name", in: disposition)?[...] else { return nil }
        return names.verdict(of: name.span, in: .form)
    }
}

extension MultipartReader {
    /// Returns the names and the ranges of the values of the fields that are not files.
    static func fields(in text: Span<UInt8>, boundary: [UInt8]) -> [(name: [UInt8], value: Range<Int>)] {
        var reader = MultipartReader(text, boundary: boundary)
        var fields: [(name: [UInt8], value: Range<Int>)] = []
        while let part = reader.next(in: text) {
            guard part.hasContent,
                let disposition = headerLines(in: text, part.headers).firstValue(named: "Content-Disposition"),
                let name = HeaderParameters.value(of: "name", in: Array(disposition.utf8)),
                HeaderParameters.value(of: "filename", in: Array(disposition.utf8)) == nil
            else { continue }
            fields.append((name, part.content))
        }
        return fields
    }
}
