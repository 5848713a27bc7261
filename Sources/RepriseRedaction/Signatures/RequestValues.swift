// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
package import RepriseText

/// Finds the values in the body of a request with a secret that are new in each request, see ``RequestFields``.
///
/// The secret can be anywhere in the body. A JSON body needs no secret if a header line contains a signature. With an
/// `Authorization` line, an idempotency key and the `id` of a JSON-RPC call need none either.
package struct RequestValues: Sendable, Hashable {
    /// Whether a header line contains a signature, which can cover the body.
    private let isSigned: Bool
    /// Whether a header line contains credentials.
    private let isAuthorized: Bool

    /// Creates a search in the body of a request with these header lines.
    package init(_ headers: [HeaderLine]) {
        isSigned = SignatureCompanions.areSigned(headers)
        isAuthorized = headers.contains { $0.hasName("Authorization") }
    }

    /// Returns the cuts for the values, in no particular order.
    ///
    /// - Parameter secrets: The ranges of the secrets in the body, in any order.
    func cuts(
        in body: Span<UInt8>,
        isJSON: Bool,
        _ kind: BodyKind,
        beside secrets: [Range<Int>],
        _ names: SecretNames
    ) -> [Cut] {
        let hasSecret = !secrets.isEmpty
        guard hasSecret || isSigned || isAuthorized && isJSON && Self.mayIdentify(body) else { return [] }
        var ranges: [Range<Int>]
        if isJSON {
            ranges = ObjectRequestValues.ranges(in: body, beside: secrets, isSigned: isSigned, names)
        } else if case .multipart(let boundary) = kind {
            guard hasSecret else { return [] }
            ranges = MultipartReader.fields(in: body, boundary: boundary).filter { part in
                let name = part.name[...]
                return RequestFields.isFresh(body.extracting(part.value), of: name.span, in: .form, names)
            }.map(\.value)
        } else if kind == .form {
            guard hasSecret else { return [] }
            ranges = Self.ranges(inForm: body, names)
        } else {
            guard hasSecret, kind == .unknown, body.firstTag != nil else { return [] }
            ranges = MarkupRequestValues.ranges(in: body, names)
        }
        ranges.removeAll { RedactionMarker.occurs(in: body.extracting($0)) }
        return ranges.map { Cut(range: $0, replacement: .freshValue) }
    }

    /// Whether a body in JSON can contain the identifier of a call or of a request that can be repeated.
    private static func mayIdentify(_ body: Span<UInt8>) -> Bool {
        body.firstIndex(of: call, from: 0) != nil || body.firstIndex(of: idempotency, from: 0) != nil
    }

    private static let (call, idempotency) = (Array("\"jsonrpc\"".utf8), Array("dempotency".utf8))

    private static func ranges(inForm body: Span<UInt8>, _ names: SecretNames) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        while start < body.count {
            let end = body.firstIndex(of: UInt8(ascii: "&"), in: start..<body.count) ?? body.count
            if let equals = body.firstIndex(of: UInt8(ascii: "="), in: start..<end), end - equals > 8 {
                let name = FormText.decoded(body.extracting(start..<equals))[...]
                let value = FormText.decoded(body.extracting(equals + 1..<end))[...]
                if RequestFields.isFresh(value.span, of: name.span, in: .form, names) {
                    ranges.append(equals + 1..<end)
                }
            }
            start = end + 1
        }
        return ranges
    }
}

/// Finds the values of a request in JSON: those in the outermost object, and those in an object with a secret.
private struct ObjectRequestValues {
    private struct Frame {
        /// The range of a member called `id` whose value is a UUID, and whether the object is a call of JSON-RPC.
        var id: Range<Int>?
        var isCall = false
        /// The values that are new in each request if a member of the object is a secret.
        var values: [Range<Int>] = []
        var hasSecret = false
    }

    /// The secrets in the order of the text that were not passed yet.
    private var secrets: ArraySlice<Range<Int>>
    private let hasSecret: Bool
    private let isSigned: Bool
    private let names: SecretNames
    private var frames: [Frame] = []
    private var key: Range<Int>?
    private var ranges: [Range<Int>] = []

    private init(_ secrets: [Range<Int>], isSigned: Bool, _ names: SecretNames) {
        self.secrets = secrets.sorted { $0.lowerBound < $1.lowerBound }[...]
        hasSecret = !secrets.isEmpty
        self.isSigned = isSigned
        self.names = names
    }

    /// Returns the ranges of the values. Stops at the first syntax error.
    static func ranges(
        in bytes: Span<UInt8>,
        beside secrets: [Range<Int>],
        isSigned: Bool,
        _ names: SecretNames
    ) -> [Range<Int>] {
        var values = Self(secrets, isSigned: isSigned, names)
        var scanner = JSONScanner()
        while let token = try? scanner.next(in: bytes), token != .end { values.take(token, bytes) }
        return values.ranges
    }

    private mutating func take(_ token: JSONToken, _ bytes: Span<UInt8>) {
        switch token {
        case .beginObject, .beginArray:
            frames.append(Frame())
            key = nil
        case .endObject, .endArray:
            guard let frame = frames.popLast() else { return }
            if frame.isCall, let id = frame.id { ranges.append(id) }
            if frame.hasSecret || frames.isEmpty { ranges += frame.values }
            key = nil
        case .key(let range):
            key = range
            if range.count == Self.version.count, bytes.has(Self.version, at: range.lowerBound),
                let last = frames.indices.last
            {
                frames[last].isCall = true
            }
        case .string(let range), .number(let range):
            while let secret = secrets.first, secret.upperBound <= range.lowerBound { secrets.removeFirst() }
            if let secret = secrets.first, secret.overlaps(range), let last = frames.indices.last {
                frames[last].hasSecret = true
            }
            if let key { add(key, range, bytes) }
            key = nil
        default: key = nil
        }
    }

    private mutating func add(_ key: Range<Int>, _ value: Range<Int>, _ bytes: Span<UInt8>) {
        let name = bytes.extracting(key)
        let text = bytes.extracting(value)
        if name.count == 2, name.has(Self.id, at: 0), RandomValue.isUUID(text), let last = frames.indices.last {
            frames[last].id = value
        } else if isFresh(text, of: name), let last = frames.indices.last {
            frames[last].values.append(value)
        }
    }

    private func isFresh(_ text: Span<UInt8>, of name: Span<UInt8>) -> Bool {
        // A signature in a header line usually covers the nonce and the time of the whole request.
        if isSigned, frames.count == 1, 2...24 ~= name.count, text.count <= 128 {
            let words = NameWords(name)
            if words.isOne(of: Self.times), TimeValue.isTime(text) { return true }
            if words.isOne(of: SignedFields.nonces), text.count >= 6, !TimeValue.isDuration(text) { return true }
        }
        guard hasSecret || isSigned && frames.count == 1 || NameWords(name).isOne(of: Self.repeatable) else {
            return false
        }
        return RequestFields.isFresh(text, of: name, in: .json, names)
    }

    private static let version = Array("jsonrpc".utf8)
    private static let id = Array("id".utf8)
    private static let times = NameEndings(["timestamp", "ts"])
    private static let repeatable = NameEndings(["idempotency key", "idempotency token"])
}

/// Finds the values of a request in XML, such as a SOAP message.
private struct MarkupRequestValues {
    private let names: SecretNames
    private var ranges: [Range<Int>] = []
    /// The times and nonces, which are new in each request if the message is signed or has a security token.
    private var companions: [Range<Int>] = []
    private var isSigned = false
    /// The names of the open elements.
    private var elements: [Range<Int>] = []

    private static let maximumDepth = 64
    private static let nameBytes = ByteSet.word.union(ByteSet("-.:"))

    private init(_ names: SecretNames) {
        self.names = names
    }

    static func ranges(in text: Span<UInt8>, _ names: SecretNames) -> [Range<Int>] {
        var values = Self(names)
        var index = 0
        while let start = text.firstIndex(of: UInt8(ascii: "<"), in: index..<text.count) {
            index = values.readTag(text, at: start + 1)
        }
        return values.ranges + (values.isSigned ? values.companions : [])
    }

    /// Reads a tag and the text after it, and returns its end.
    private mutating func readTag(_ text: Span<UInt8>, at start: Int) -> Int {
        guard start < text.count else { return start }
        if text[start] == UInt8(ascii: "/") {
            _ = elements.popLast()
            return start + 1
        }
        var index = start
        while index < text.count, Self.nameBytes.contains(text[index]) { index += 1 }
        guard index > start else { return start }
        let name = start..<index
        let attributes = readAttributes(text, from: &index)
        add(attributes, of: name, text)
        guard index < text.count else { return index }
        if text[index - 1] != UInt8(ascii: "/"), elements.count < Self.maximumDepth { elements.append(name) }
        let end = text.firstIndex(of: UInt8(ascii: "<"), in: index..<text.count) ?? text.count
        let value = text.trimmed(index + 1..<end)
        if !value.isEmpty { add(value, of: name, text) }
        return end
    }

    private func readAttributes(_ text: Span<UInt8>, from index: inout Int) -> [(name: Range<Int>, value: Range<Int>)] {
        var attributes: [(name: Range<Int>, value: Range<Int>)] = []
        while index < text.count, text[index] != UInt8(ascii: ">") {
            let quote = text[index]
            index += 1
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
            let end = text.firstIndex(of: quote, in: index..<text.count) ?? text.count
            var last = index - 1
            while last > 0, text[last - 1] <= 0x20 || text[last - 1] == UInt8(ascii: "=") { last -= 1 }
            var first = last
            while first > 0, Self.nameBytes.contains(text[first - 1]) { first -= 1 }
            attributes.append((first..<last, index..<end))
            index = min(end + 1, text.count)
        }
        return attributes
    }

    // MARK: Values

    private mutating func add(_ value: Range<Int>, of name: Range<Int>, _ text: Span<UInt8>) {
        let own = Self.local(text.extracting(name))
        if Self.signatures.contains(own) || own == Self.sign && RandomValue.looksRandom(text.extracting(value)) {
            isSigned = true
        }
        if Self.times.contains(own) || isInHeader(text) && Self.timesInHeader.contains(own) {
            if TimeValue.isTime(text.extracting(value)) { companions.append(value) }
        } else if Self.clientTime == own {
            ranges.append(value)
        } else if Self.nonces.contains(own) {
            if value.count >= 6 { companions.append(value) }
        } else if RequestFields.isFresh(text.extracting(value), of: own.span, in: .json, names) {
            ranges.append(value)
        }
    }

    private mutating func add(
        _ attributes: [(name: Range<Int>, value: Range<Int>)],
        of element: Range<Int>,
        _ text: Span<UInt8>
    ) {
        let own = Self.local(text.extracting(element))
        if Self.tokens.contains(own) { isSigned = true }
        guard !attributes.isEmpty else { return }
        let isMessage = attributes.contains { Self.local(text.extracting($0.name)) == Self.instant }
        for attribute in attributes {
            let name = Self.local(text.extracting(attribute.name))
            let value = text.extracting(attribute.value)
            if name == Self.instant {
                if TimeValue.isTime(value) { ranges.append(attribute.value) }
            } else if name == Self.id {
                if isMessage ? RandomValue.looksRandom(value) : isInHeader(text) && Self.isNumbered(value) {
                    ranges.append(attribute.value)
                }
            } else if name == Self.reference, value.count > 1, value[0] == UInt8(ascii: "#"), isInHeader(text),
                case let anchor = attribute.value.dropFirst(), Self.isNumbered(text.extracting(anchor))
            {
                ranges.append(anchor)
            }
        }
    }

    /// Whether the open elements include the security header of a SOAP message.
    private func isInHeader(_ text: Span<UInt8>) -> Bool {
        elements.contains { SignedMarkup.isHeader(text.extracting($0)) }
    }

    /// Whether an identifier ends in something that is not a word or a small number: `UsernameToken-3F9A07C1`.
    private static func isNumbered(_ value: Span<UInt8>) -> Bool {
        guard 8...maximumLength ~= value.count else { return false }
        var start = value.count
        while start > 0, isAlphanumeric(value[start - 1]) { start -= 1 }
        return value.count - start >= 6 && RequestFields.hasDigit(value.extracting(start..<value.count))
    }

    /// The maximum length of an identifier.
    private static let maximumLength = 128

    /// The name in lowercase without its namespace.
    private static func local(_ name: Span<UInt8>) -> [UInt8] {
        guard name.count <= 80 else { return [] }
        let letters = Array(lowercasing: name)
        guard let colon = letters.lastIndex(of: UInt8(ascii: ":")) else { return letters }
        return Array(letters[(colon + 1)...])
    }

    private static let signatures = Set(words: ["digestvalue", "signaturevalue", "passworddigest"])
    private static let tokens = Set(words: ["usernametoken", "signaturevalue"])
    private static let sign = Array("sign".utf8)
    private static let times = Set(words: ["timestamp"])
    private static let timesInHeader = Set(words: ["created", "expires"])
    private static let nonces = Set(words: ["digestvalue", "nonce", "nonce_str"])
    /// The time of the client in a request of OFX (Open Financial Exchange 2.3 section 2.5.1.2).
    private static let clientTime = Array("dtclient".utf8)
    private static let (id, instant, reference) = (Array("id".utf8), Array("issueinstant".utf8), Array("uri".utf8))
}
