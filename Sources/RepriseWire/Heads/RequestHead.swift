// SPDX-License-Identifier: Apache-2.0

/// A request line and header section (RFC 9112 sections 3 and 5), as offsets into the parsed bytes.
///
/// The head does not contain the bytes. Keep the input, and use the ranges to read from it.
public struct RequestHead: Sendable {
    /// The method, a case-sensitive token.
    public internal(set) var method = 0..<0
    /// The whole request target as received.
    public internal(set) var target = 0..<0
    /// The form of the target, which is always valid for the method.
    public internal(set) var form = TargetForm.origin
    /// The host and port in a target in absolute-form or authority-form; otherwise nil.
    public internal(set) var authority: Range<Int>?
    /// The scheme of the target, if the server answers the request as a proxy; otherwise nil.
    public private(set) var scheme: Range<Int>?
    /// The path as received. It is never empty in origin-form, `*` in asterisk-form, and empty in authority-form. In
    /// absolute-form it is empty if nothing follows the authority, which means `/` (RFC 9110 section 4.2.3).
    public internal(set) var path = 0..<0
    /// Whether ``removePathPrefix(_:)`` removed bytes from the path.
    public private(set) var isPathCut = false
    /// The part of the target after the first `?`, or nil if it has no `?`.
    public internal(set) var query: Range<Int>?
    /// The minor version, x in HTTP/1.x. All values from 1 mean 1.1 (RFC 9112 section 2.3).
    public internal(set) var minorVersion = 1
    /// The field lines, in order.
    public internal(set) var fields: [FieldRange] = []
    /// The effective host and port: those of the target if it has them, otherwise the value of the Host field, which
    /// may be empty. Nil only in HTTP/1.0.
    public internal(set) var host: Range<Int>?
    /// The value of the first Content-Type field.
    public internal(set) var contentType: Range<Int>?
    /// The length of the head, including empty lines before it, the request line, the fields and the blank line.
    public internal(set) var length = 0
    /// How the body is delimited.
    public internal(set) var body = BodyFraming.none
    /// Whether the client keeps the connection open after this request (RFC 9112 section 9.3).
    public internal(set) var isKeepAlive = true
    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 section 10.1.1). False if there
    /// is no body.
    public internal(set) var expectsContinue = false

    init() {}

    /// Returns the value of the first field with the given name, ignoring case.
    ///
    /// - Parameters:
    ///   - name: The field name. No memory is allocated if it is a literal.
    ///   - input: The parsed bytes.
    public func firstField(named name: String, in input: Span<UInt8>) -> Range<Int>? {
        for field in fields where FieldName.matches(field.name, of: input, name) { return field.value }
        return nil
    }

    /// Whether the server answers the request as a proxy for the origin that the target names.
    public var isProxied: Bool { scheme != nil }

    /// Marks the request, whose target is in absolute-form, as one that the server answers as a proxy.
    public mutating func becomeProxied() {
        guard form == .absolute, let authority else { return }
        scheme = target.lowerBound..<authority.lowerBound - 3
    }

    /// Takes bytes off the start of the path. What is left may be empty, which means `/`.
    public mutating func removePathPrefix(_ count: Int) {
        path = path.lowerBound + count..<path.upperBound
        isPathCut = isPathCut || count > 0
    }

    mutating func reset() {
        fields.removeAll(keepingCapacity: true)
        authority = nil
        scheme = nil
        query = nil
        host = nil
        contentType = nil
        isPathCut = false
        length = 0
        body = .none
        expectsContinue = false
    }
}
