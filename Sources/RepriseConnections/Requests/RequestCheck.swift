// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// Checks that the head that was written for a request says what was meant and nothing else.
///
/// The parser that a strict server reads it with is the judge: a line end in a value would show as a line too many, a
/// space in the target as a version that is none. So nothing can be smuggled in, whatever the strings hold.
struct RequestCheck {
    /// How many field lines stand before and behind the request's own.
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

    /// What the head says.
    ///
    /// - Throws: ``ConnectionError/Kind/invalidRequest``.
    func traits(of bytes: [UInt8]) throws(ConnectionError) -> RequestTraits {
        // Behind a proxy's `http://host` anything else would go on with the host.
        let isAsterisk = request.target == "*" && request.method == "OPTIONS"
        guard request.target.utf8.first == UInt8(ascii: "/") || isAsterisk else { throw invalid(targetFault) }
        let head = try parse(bytes)
        guard head.length == bytes.count, isAsMeant(head) else { throw invalid(fault ?? "it holds a line end") }
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
        throw invalid(fault ?? "its head has no end")
    }

    /// Whether each part came out as long as it went in, and none more or less of them.
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
        ConnectionError(.invalidRequest, "the request to \(request.origin) is not sent: \(reason)")
    }
}

// MARK: - The body

extension RequestCheck {
    /// Fields that frame the body must frame the body that there is.
    private func checkBody(_ framing: BodyFraming) throws(ConnectionError) {
        switch (request.body, framing) {
        case (.none, .none), (.none, .length(0)), (.bytes, .chunked), (.stream, .chunked): return
        case (.bytes(let content), .length(let length)):
            if content.count != length { throw contradiction(length, content.count) }
        case (.stream(let known, _), .length(let length)):
            if let known, known != length { throw contradiction(length, known) }
        case (.none, .length(let length)): throw contradiction(length, 0)
        case (.none, .chunked): throw invalid("Transfer-Encoding says that a body follows, but it has none")
        case (.bytes, .none), (.stream, .none): throw invalid("nothing tells the end of its body")
        }
    }

    private func contradiction(_ said: Int, _ found: Int) -> ConnectionError {
        invalid("Content-Length says \(said) bytes, but its body has \(found); leave the field out or correct it")
    }
}

// MARK: - What to tell

extension RequestCheck {
    /// The part that is at fault, in the request's own words; nil if each part is well-formed for itself.
    private var fault: String? {
        if request.method == "CONNECT" { return "CONNECT is for proxies and not a request's method" }
        if !FieldName.isToken(request.method) { return "\(quoted(request.method)) is no method" }
        if !request.target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }) {
            return targetFault
        }
        for field in request.fields {
            if !FieldName.isToken(field.name) { return "\(quoted(field.name)) is no field name" }
            if !FieldValue.isContent(field.value) {
                return "the value of \(field.name) holds a line end or another control character: "
                    + quoted(field.value)
            }
        }
        return nil
    }

    private var targetFault: String {
        "expected a target such as /path?query, found \(quoted(request.target)); escape white space, control "
            + "characters and '#' with percent signs"
    }

    /// Without control characters, and not too long for a message.
    private func quoted(_ text: String) -> String {
        text.utf8.count > 100 ? String(text.prefix(100)).debugDescription + "…" : text.debugDescription
    }
}
