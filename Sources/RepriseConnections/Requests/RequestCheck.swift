// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// Checks that the encoded head of a request means exactly what was given.
///
/// It parses the head as a strict server would. A line break in a value would produce an additional line, and a space
/// in the target an invalid version. As a result, no string in a request can inject anything.
struct RequestCheck {
    /// The number of field lines added before and after the request's own.
    struct AddedFields {
        var leading = 0
        var trailing = 0
    }

    private let request: OutgoingRequest
    private let isAbsolute: Bool
    private let addedFields: AddedFields

    static let limits = RequestParser.Limits(target: .max, headerSection: .max, fields: .max, body: .max)

    init(_ request: OutgoingRequest, isAbsolute: Bool, addedFields: AddedFields) {
        self.request = request
        self.isAbsolute = isAbsolute
        self.addedFields = addedFields
    }

    /// Returns the traits that the encoded head specifies.
    ///
    /// - Throws: ``ConnectionError/Kind/invalidRequest`` if the head is invalid or does not match the request.
    func traits(of bytes: [UInt8]) throws(ConnectionError) -> RequestTraits {
        // In a request to a proxy, the target follows `http://host`. Any other first character would become a part of
        // the host.
        let isAsterisk = request.target == "*" && request.method == "OPTIONS"
        guard request.target.utf8.first == UInt8(ascii: "/") || isAsterisk else { throw invalid(targetFault) }
        let head = try parse(bytes)
        guard head.length == bytes.count, isAsMeant(head) else { throw invalid(fault ?? "it contains a line break") }
        guard head.form == expectedForm else { throw invalid(targetFault) }
        try checkBody(head.body)
        return RequestTraits(
            kind: ResponseParser.RequestKind(method: request.method),
            framing: head.body,
            awaitsContinue: head.expectsContinue,
            isKeepAlive: head.isKeepAlive,
            isIdempotent: RequestTraits.isIdempotent(request.method)
        )
    }

    private func parse(_ bytes: [UInt8]) throws(ConnectionError) -> RequestHead {
        var parser = RequestParser(limits: Self.limits)
        let input = bytes[...]
        do throws(ParsingError) {
            if try parser.parseHead(input.span) { return parser.head }
        } catch {
            throw invalid(fault ?? error.reason)
        }
        throw invalid(fault ?? "its head is incomplete")
    }

    /// Whether each part has the same length as in the request, with no part missing or added.
    private func isAsMeant(_ head: RequestHead) -> Bool {
        guard head.method.count == request.method.utf8.count,
            isAbsolute || head.target.count == request.target.utf8.count,
            head.fields.count == addedFields.leading + request.fields.count + addedFields.trailing
        else { return false }
        for (index, field) in request.fields.enumerated()
        where head.fields[addedFields.leading + index].name.count != field.name.utf8.count { return false }
        return true
    }

    private var expectedForm: TargetForm {
        if isAbsolute { return .absolute }
        return request.target == "*" ? .asterisk : .origin
    }

    private func invalid(_ reason: String) -> ConnectionError {
        ConnectionError(.invalidRequest, "the request to \(request.origin) was not sent: \(reason)")
    }
}

// MARK: - The body

extension RequestCheck {
    private func checkBody(_ framing: BodyFraming) throws(ConnectionError) {
        switch (request.body, framing) {
        case (.none, .none), (.none, .length(0)), (.bytes, .chunked), (.stream, .chunked): return
        case (.bytes(let content), .length(let length)):
            if content.count != length { throw contradiction(length, content.count) }
        case (.stream(let known, _), .length(let length)):
            if let known, known != length { throw contradiction(length, known) }
        case (.none, .length(let length)): throw contradiction(length, 0)
        case (.none, .chunked): throw invalid("it has Transfer-Encoding, but no body; leave the field out")
        case (.bytes, .none), (.stream, .none): throw invalid("no field specifies where its body ends")
        }
    }

    private func contradiction(_ said: Int, _ found: Int) -> ConnectionError {
        invalid("Content-Length says \(said) bytes, but its body has \(found); leave the field out or correct it")
    }
}

// MARK: - Messages

extension RequestCheck {
    /// A description of the first malformed part, or nil if every part is well-formed on its own.
    private var fault: String? {
        if request.method == "CONNECT" { return "CONNECT is reserved for proxies; use another method" }
        if !FieldName.isToken(request.method) { return "\(quoted(request.method)) is not a valid method" }
        if !request.target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }) {
            return targetFault
        }
        for field in request.fields {
            if !FieldName.isToken(field.name) { return "\(quoted(field.name)) is not a valid field name" }
            if !FieldValue.isContent(field.value) {
                return "the value of \(field.name) contains a line break or another control character: "
                    + quoted(field.value)
            }
        }
        return nil
    }

    private var targetFault: String {
        "expected a target such as /path?query, found \(quoted(request.target)); escape whitespace, control "
            + "characters and '#' with percent signs"
    }

    /// Returns the text with control characters escaped, truncated for a message.
    private func quoted(_ text: String) -> String {
        text.utf8.count > 100 ? String(text.prefix(100)).debugDescription + "…" : text.debugDescription
    }
}
