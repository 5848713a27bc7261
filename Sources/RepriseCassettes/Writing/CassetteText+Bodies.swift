// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

extension CassetteText {
    /// The maximum length of a JSON body that is written on one line.
    private static let lineLimit = 100

    mutating func add(_ body: RecordedBody, headers: [HeaderLine]) throws(CassetteWriter.Problem) {
        key(.body)
        switch body.source {
        case .file(let file):
            guard let path, let name = file.name, CassetteBodies.isBody(file, named: name, ofCassette: path) else {
                throw .bodyElsewhere(file)
            }
            add(body, .file, Array(name.utf8))
        case .bytes(let bytes):
            let isText = UTF8Sequence.isValid(bytes)
            if keepsBodiesPlain {
                add(body, isText ? .text : .base64, isText ? bytes : Base64.encode(bytes))
            } else if bytes.count > (isText ? CassetteWriter.textLimit : CassetteWriter.binaryLimit) {
                let type = headers.firstValue(named: "Content-Type")
                let name = CassetteWriter.fileName(for: bytes, contentType: type)
                bodies[name] = bytes
                add(body, .file, Array(name.utf8))
            } else if isText, let layout = JSONLayout.exact(bytes), add(body, json: bytes, layout) {
                break
            } else {
                add(body, isText ? .text : .base64, isText ? bytes : Base64.encode(bytes))
            }
        }
    }

    private mutating func add(_ body: RecordedBody, _ key: CassetteKey, _ string: [UInt8]) {
        builder.beginObject(onOneLine: true)
        add(.note, body.note)
        add(key, string)
        add(chunks: body.chunks)
        builder.end()
    }

    /// Adds a JSON body. Adds nothing and returns `false` if indentation would make the text much longer than the body.
    private mutating func add(_ body: RecordedBody, json: [UInt8], _ layout: JSONLayout) -> Bool {
        if json.count <= Self.lineLimit,
            let shown = JSONLayout(.spaced).applied(to: json, in: json.indices, limit: Self.lineLimit)
        {
            var line = CassetteText(path: path)
            line.add(body, shown: shown, layout, onOneLine: true)
            if builder.indentation + "\"body\": ".utf8.count + line.builder.text.count <= Self.lineLimit {
                builder.raw(line.builder.text)
                return true
            }
        }
        // Each level of nesting indents everything inside it. With many small nested containers, most of the text is
        // indentation.
        let limit = 4 * json.count + 4096
        let margin = builder.indentation + 2
        guard let shown = JSONLayout(.pretty2).applied(to: json, in: json.indices, margin: margin, limit: limit) else {
            return false
        }
        add(body, shown: shown, layout, onOneLine: false)
        return true
    }

    private mutating func add(_ body: RecordedBody, shown: [UInt8], _ layout: JSONLayout, onOneLine: Bool) {
        builder.beginObject(onOneLine: onOneLine)
        add(.note, body.note)
        key(.json)
        builder.raw(shown)
        if layout != .compact { add(.layout, layout.name) }
        add(chunks: body.chunks)
        builder.end()
    }

    private mutating func add(chunks: [Int]?) {
        guard let chunks else { return }
        key(.chunks)
        builder.beginArray(onOneLine: true)
        for size in chunks {
            builder.element()
            number("\(size)")
        }
        builder.end()
    }
}
