// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseRedaction
internal import RepriseText

/// Searches all strings of a HAR file (HAR 1.2) for secrets. This includes strings that do not become part of an
/// exchange: the cookies, parameters and redirects that a HAR file lists a second time, and entries that are skipped.
struct HARSecrets {
    /// The secrets and their positions in the file.
    private(set) var findings: [(finding: SecretFinding, place: TextPlace)] = []

    private let redaction: Redaction
    private let bytes: [UInt8]
    private var open: [Container] = []

    /// An open object or array.
    private struct Container {
        /// The key of this value, or of the array that contains it.
        var key: String
        var isObject: Bool
        /// The key of the next value.
        var member = ""
        var name: Text?
        var value: Text?
        var text: Text?
        var mimeType: Text?
        var isBase64 = false
    }

    /// A string and its position.
    private struct Text {
        var bytes: [UInt8]
        var place: TextPlace
    }

    /// Searches `bytes`, which contain JSON.
    init(_ bytes: [UInt8], _ redaction: Redaction) {
        self.bytes = bytes
        self.redaction = redaction
        search()
    }

    private mutating func search() {
        var scanner = JSONScanner()
        let slice = bytes[...]
        while let token = try? scanner.next(in: slice.span), token != .end {
            switch token {
            case .beginObject: open.append(Container(key: key, isObject: true))
            case .beginArray: open.append(Container(key: key, isObject: false))
            case .endObject, .endArray:
                if let last = open.popLast(), last.isObject { search(last) }
            case .key(let range):
                open[open.count - 1].member = String(decoding: decoded(range), as: UTF8.self)
            case .string(let range): take(Text(bytes: decoded(range), place: scanner.tokenPlace))
            case .number, .true, .false, .null, .end: break
            }
        }
    }

    /// The key of the next value.
    private var key: String {
        guard let last = open.last else { return "" }
        return last.isObject ? last.member : last.key
    }

    private func decoded(_ range: Range<Int>) -> [UInt8] {
        let slice = bytes[range]
        return JSONEscapes.decoded(slice.span)
    }

    private mutating func take(_ text: Text) {
        guard !text.bytes.isEmpty, let last = open.indices.last else { return }
        switch open[last].member {
        case "name": open[last].name = text
        case "value": open[last].value = text
        case "text": open[last].text = text
        case "mimeType": open[last].mimeType = text
        case "encoding": open[last].isBase64 = text.bytes.elementsEqual("base64".utf8)
        case "url", "redirectURL":
            let url = redaction.redacted(url: String(decoding: text.bytes, as: UTF8.self))
            compare(text, Array(url.utf8), open[last].member)
        default: searchText(text)
        }
    }

    // MARK: Objects

    private mutating func search(_ object: Container) {
        if let value = object.value { search(object, value) }
        guard let text = object.text else { return }
        let type = object.mimeType.map {
            HeaderLine(name: "Content-Type", value: String(decoding: $0.bytes, as: UTF8.self))
        }
        let body = object.isBase64 ? Base64.decodeLeniently(text.bytes[...]) : nil
        var search = SecretSearch(redaction: redaction)
        search.search(.bytes(body ?? text.bytes), type.map { [$0] } ?? [], "\(object.key) text")
        findings += search.secrets.map { ($0, text.place) }
    }

    private mutating func search(_ object: Container, _ value: Text) {
        guard let name = object.name else { return searchText(value) }
        let title = String(decoding: name.bytes.prefix(40), as: UTF8.self)
        switch object.key {
        case "cookies": search(line: "Cookie: \(title)=", value, "cookie \(title)")
        case "headers": search(line: "\(title): ", value, "header \(title)")
        case "queryString", "params":
            let field: SecretNames.Fields = object.key == "params" ? .form : .query
            let slice = name.bytes[...]
            let verdict = FormText.verdict(of: slice.span, in: field, redaction.rules.names)
            let text = value.bytes[...]
            if let verdict, NamedValue.isSecret(text.span, isLikely: verdict.isLikely) {
                add(value, value.bytes, "field \(title)")
            } else {
                searchText(value)
            }
        default: searchText(value)
        }
    }

    /// Searches a value as part of a header line that starts with `start`.
    private mutating func search(line start: String, _ value: Text, _ field: String) {
        guard let line = HeaderLine(bytes: Array(start.utf8) + value.bytes) else { return searchText(value) }
        var search = SecretSearch(redaction: redaction)
        search.search([line], field)
        for secret in search.secrets {
            add(value, secret.bytes, field, at: max(0, secret.context.count - start.utf8.count))
        }
    }

    /// Searches any other string. It can contain any kind of text.
    private mutating func searchText(_ text: Text) {
        for cut in TextRedaction(redaction).cuts(in: text.bytes) {
            add(text, Array(text.bytes[cut.range]), "the file")
        }
    }

    private mutating func compare(_ text: Text, _ redacted: [UInt8], _ field: String) {
        guard text.bytes != redacted else { return }
        let same = zip(text.bytes, redacted).prefix { $0 == $1 }.count
        add(text, Array(text.bytes[same...]), field)
    }

    /// - Parameter offset: The offset of the secret in the text.
    private mutating func add(_ text: Text, _ secret: [UInt8], _ field: String, at offset: Int = 0) {
        // The place is that of the quotation mark.
        let finding = SecretFinding(field: field, bytes: secret, at: text.place.offset + 1 + offset)
        findings.append((finding, text.place))
    }
}
