// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
package import RepriseRedaction
private import RepriseStorage
package import RepriseText

/// A secret found in an exchange.
package struct SecretFinding: Sendable, Hashable {
    /// The field that contains it: `request header Authorization`, `request URL`, `response body`.
    package var field: String
    /// The first three characters of the secret. Empty if the secret is too short to show a part of it.
    package var start: String
    /// The first bytes of the secret, used to find its position in a file.
    package let bytes: [UInt8]
    /// The text of the line before the secret, also used to find its position.
    let context: [UInt8]
    /// The offset in the body, if it is in one.
    let offset: Int?

    /// The number of bytes that are kept.
    static let keptCount = 24

    /// Creates a finding for a secret that starts with `bytes`.
    package init(field: String, bytes: some Sequence<UInt8>, after context: [UInt8] = [], at offset: Int? = nil) {
        self.field = field
        self.context = context
        self.offset = offset
        self.bytes = Array(bytes.prefix(Self.keptCount))
        let start = self.bytes.prefix(3)
        let isRevealing = self.bytes.count < 8 || !start.allSatisfy { 0x21...0x7E ~= $0 }
        self.start = isRevealing ? "" : String(decoding: start, as: UTF8.self)
    }
}

extension Redaction {
    /// Finds the secrets in an exchange: in its URL, its header and trailer lines, and its bodies, including those in
    /// files.
    ///
    /// - Returns: The secrets, and descriptions of the parts that could not be scanned.
    package func findings(in exchange: Exchange) -> (secrets: [SecretFinding], unscanned: [String]) {
        var search = SecretSearch(redaction: self)
        let path = PathNames(exchange.request.url)
        search.search(exchange.request, at: path.names(inRequest: true))
        if case .response(let response) = exchange.outcome { search.search(response, at: path.names(inRequest: false)) }
        return (search.secrets, search.unscanned)
    }
}

/// A running search for secrets.
package struct SecretSearch {
    let redaction: Redaction
    package private(set) var secrets: [SecretFinding] = []
    package private(set) var unscanned: [String] = []

    package init(redaction: Redaction) {
        self.redaction = redaction
    }

    mutating func search(_ request: RecordedRequest, at path: PathNames) {
        let redacted = redaction.redacted(request)
        compare(Array(request.url.utf8), Array(redacted.url.utf8), "request URL")
        search(request.headers, "request header")
        search(request.trailers, "request trailer")
        if let body = request.body { search(body.source, request.headers, "request body", at: path) }
    }

    mutating func search(_ response: RecordedResponse, at path: PathNames) {
        compare(response.reasonBytes, redaction.redacted(text: response.reasonBytes), "response status")
        search(response.headers, "response header")
        search(response.trailers, "response trailer")
        for informational in response.informational {
            let reason = informational.reasonBytes
            compare(reason, redaction.redacted(text: reason), "informational response status")
            search(informational.headers, "informational response header")
        }
        switch response.content {
        case .none: return
        case .body(let body): search(body.source, response.headers, "response body", at: path)
        case .stream(let steps):
            search(response.headers, "response body", at: path) { take throws(BodyRedactor.Unscannable) in
                for step in steps {
                    if case .bytes(let bytes) = step.event { try take(bytes) }
                }
            }
        }
    }

    mutating func search(_ lines: [HeaderLine], _ field: String) {
        for (line, redacted) in zip(lines, redaction.redacted(lines)) where line.bytes != redacted.bytes {
            if line.hasName("Cookie") || line.hasName("Set-Cookie") {
                search(cookies: line, "\(field) \(line.name)")
            } else {
                compare(line.bytes, redacted.bytes, "\(field) \(line.name)")
            }
        }
    }

    /// Searches each pair by itself, because some are harmless.
    private mutating func search(cookies line: HeaderLine, _ field: String) {
        let (pairs, attributes) = CookiePair.pairs(of: line)
        for pair in pairs where !pair.isHarmless { search(part: pair.bytes, of: line, field) }
        search(part: attributes, of: line, field)
    }

    private mutating func search(part: ArraySlice<UInt8>, of line: HeaderLine, _ field: String) {
        let name = Array(line.bytes[..<line.valueBytes.startIndex])
        guard let own = HeaderLine(bytes: name + part), case let redacted = redaction.redacted(own).bytes,
            own.bytes != redacted
        else { return }
        let same = zip(own.bytes, redacted).prefix { $0 == $1 }.count
        // With what follows in the line, the secret is found in the file even if it occurs elsewhere too.
        let start = part.startIndex + same - name.count
        secrets.append(SecretFinding(field: field, bytes: line.bytes[start...], after: Array(line.bytes[..<start])))
    }

    /// Reports a secret that starts where the two texts differ.
    private mutating func compare(_ original: [UInt8], _ redacted: [UInt8], _ field: String) {
        guard original != redacted else { return }
        let same = zip(original, redacted).prefix { $0 == $1 }.count
        secrets.append(SecretFinding(field: field, bytes: original[same...], after: Array(original[..<same])))
    }

    // MARK: Bodies

    /// Searches a body in memory or in a file.
    ///
    /// - Parameter path: What the path of the URL says about the values.
    package mutating func search(
        _ source: ByteSource,
        _ headers: [HeaderLine],
        _ field: String,
        at path: PathNames = []
    ) {
        search(headers, field, at: path) { take throws(BodyRedactor.Unscannable) in
            switch source {
            case .bytes(let bytes): try take(bytes)
            case .file(let file): try Self.read(file, take)
            }
        }
    }

    private static func read(
        _ file: FileSource,
        _ take: ([UInt8]) throws(BodyRedactor.Unscannable) -> Void
    ) throws(BodyRedactor.Unscannable) {
        let end = file.offset + file.size
        let open = try reading(file) { () throws(FileError) in try StorageFile(file.path, for: .reading) }
        var offset = file.offset
        while offset < end {
            let piece = try reading(file) { () throws(FileError) in
                try open.read(at: offset, count: min(1 << 18, end - offset))
            }
            guard !piece.isEmpty else { return }
            offset += piece.count
            try take(piece)
        }
    }

    private static func reading<Result>(
        _ file: FileSource,
        _ read: () throws(FileError) -> Result
    ) throws(BodyRedactor.Unscannable) -> Result {
        do throws(FileError) {
            return try read()
        } catch {
            throw BodyRedactor.Unscannable("cannot read \(file.path): \(error.reason)")
        }
    }

    private mutating func search(
        _ headers: [HeaderLine],
        _ field: String,
        at path: PathNames,
        _ feed: (_ take: ([UInt8]) throws(BodyRedactor.Unscannable) -> Void) throws(BodyRedactor.Unscannable) -> Void
    ) {
        var redactor = redaction.bodyRedactor(for: headers, at: path)
        redactor.secrets = []
        do throws(BodyRedactor.Unscannable) {
            try feed { piece throws(BodyRedactor.Unscannable) in _ = try redactor.append(piece) }
            _ = try redactor.finish()
        } catch {
            unscanned.append("\(field): \(error)")
        }
        secrets += (redactor.secrets ?? []).map { SecretFinding(field: field, bytes: $0.bytes, at: $0.offset) }
    }
}
