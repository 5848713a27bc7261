// SPDX-License-Identifier: Apache-2.0

/// A request's line and header section (RFC 9112 sections 3 and 5), as offsets into the bytes that were parsed.
///
/// It holds no bytes of its own: keep the input, and read the ranges from it.
public struct RequestHead: Sendable {
    /// The method, a token whose case counts.
    public internal(set) var method = 0..<0
    /// The whole target as it came.
    public internal(set) var target = 0..<0
    /// The target's form; it always goes with the method.
    public internal(set) var form = TargetForm.origin
    /// The host and port in the target: there in absolute-form and authority-form.
    public internal(set) var authority: Range<Int>?
    /// The path as it came: never empty in origin-form, `*` in asterisk-form, empty in authority-form, and empty in
    /// absolute-form if nothing follows the authority, which means `/` (RFC 9110 section 4.2.3).
    public internal(set) var path = 0..<0
    /// What follows the first `?`; nil if there is none.
    public internal(set) var query: Range<Int>?
    /// The x of HTTP/1.x; from 1 on, all mean 1.1 (RFC 9112 section 2.3).
    public internal(set) var minorVersion = 1
    /// The field lines, in order.
    public internal(set) var fields: [FieldRange] = []
    /// The host and port that count: the target's where it has some, else the Host field's, which may be empty. Nil
    /// only in HTTP/1.0.
    public internal(set) var host: Range<Int>?
    /// The value of the first Content-Type field.
    public internal(set) var contentType: Range<Int>?
    /// The length of the head: empty lines before it, the request line, the fields and the blank line.
    public internal(set) var length = 0
    /// How the end of the body is told.
    public internal(set) var body = BodyFraming.none
    /// Whether the client wants to go on with this connection (RFC 9112 section 9.3).
    public internal(set) var isKeepAlive = true
    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 section 10.1.1). False if there
    /// is no body to wait for.
    public internal(set) var expectsContinue = false

    init() {}

    /// The value of the first field with that name, in any case.
    ///
    /// - Parameters:
    ///   - name: the name; nothing is allocated when it is a literal.
    ///   - input: the bytes that were parsed.
    public func firstField(named name: String, in input: Span<UInt8>) -> Range<Int>? {
        for field in fields where FieldName.matches(field.name, of: input, name) { return field.value }
        return nil
    }

    /// Back to the start; the capacity of the fields stays.
    mutating func reset() {
        fields.removeAll(keepingCapacity: true)
        authority = nil
        query = nil
        host = nil
        contentType = nil
        length = 0
        body = .none
        expectsContinue = false
    }
}
