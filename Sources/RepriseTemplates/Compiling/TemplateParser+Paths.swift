// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension TemplateParser {
    /// Parses a path: `request.query.q.[0]`, `../name`, `this`, `@index`.
    mutating func path() throws(TemplateProblem) -> TemplatePath {
        let start = index
        var parents = 0
        let isData = starts(with: "@")
        if isData { index += 1 }
        while starts(with: "..") {
            parents += 1
            index += 2
            guard starts(with: "/") || starts(with: ".") else { break }
            index += 1
        }
        var isLocal = false
        var isThis = parents > 0
        if starts(with: "./") {
            isLocal = true
            index += 2
        } else if starts(with: ".") {
            isThis = true
            index += 1
        }
        var segments = try segments()
        if !isData, segments.first == "this", text[start] != UInt8(ascii: "[") {
            segments.removeFirst()
            isThis = true
            isLocal = true
        }
        let written = String(decoding: text[start..<index], as: UTF8.self)
        guard !segments.isEmpty || isThis, !isData || !segments.isEmpty else {
            throw problem("expected a name, found \(found(at: start))", at: start)
        }
        return path(segments, isData: isData, isLocal: isLocal, parents: parents, text: written)
    }

    private func path(
        _ segments: [String],
        isData: Bool,
        isLocal: Bool,
        parents: Int,
        text: String
    ) -> TemplatePath {
        var segments = segments
        let head: TemplatePath.Head
        if isData {
            let name = segments.removeFirst()
            head = name == "root" ? .root : .data(name)
        } else if segments.isEmpty {
            head = .this
        } else {
            head = isLocal ? .local : .name
        }
        return TemplatePath(head: head, parents: parents, segments: segments, text: text)
    }

    private mutating func segments() throws(TemplateProblem) -> [String] {
        var segments: [String] = []
        while index < end {
            if starts(with: "[") {
                let start = index
                guard let close = firstIndex(of: "]", from: index), close < end else {
                    throw problem("expected ']', found the end of the template", at: start)
                }
                segments.append(String(decoding: text[index + 1..<close], as: UTF8.self))
                index = close + 1
            } else if let name = identifier(startsPath: segments.isEmpty) {
                segments.append(name)
            } else {
                break
            }
            // `a..b` is `a.b`, as in WireMock.
            guard starts(with: ".") || starts(with: "/") else { break }
            while starts(with: ".") || starts(with: "/") { index += 1 }
        }
        return segments
    }

    /// Reads a name, or nothing.
    mutating func identifier(startsPath: Bool = true) -> String? {
        let start = index
        if startsPath, index < end, UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[index] { return nil }
        while index < end, isPartOfName(text[index]) { index += 1 }
        return index > start ? String(decoding: text[start..<index], as: UTF8.self) : nil
    }

    private func isPartOfName(_ byte: UInt8) -> Bool {
        isWordByte(byte) || byte >= 0x80 || "-$:?".utf8.contains(byte)
    }
}
