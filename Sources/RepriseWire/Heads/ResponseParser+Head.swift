// SPDX-License-Identifier: Apache-2.0

extension ResponseParser {
    /// A response's status line and header section (RFC 9112 sections 4 and 5), as offsets into the bytes that were
    /// parsed.
    ///
    /// Order, case and white space are in the ranges: ``statusLine`` and each field's ``FieldRange/line`` are what was
    /// on the wire. It holds no bytes of its own: keep the input, and read the ranges from it.
    public struct Head: Sendable {
        /// The whole status line without its CR LF.
        public internal(set) var statusLine = 0..<0
        /// The x of HTTP/1.x.
        public internal(set) var minorVersion = 1
        /// The status code, 100 to 999.
        public internal(set) var status = 0
        /// The status code and what stands behind it: `200 OK`, `200 `, or `200`.
        public internal(set) var statusText = 0..<0
        /// What stands behind the status code and a space, perhaps nothing; nil where there is not even the space.
        public internal(set) var reason: Range<Int>?
        /// The field lines, in order.
        public internal(set) var fields: [FieldRange] = []
        /// The value of the first Content-Type field.
        public internal(set) var contentType: Range<Int>?
        /// The length of the head with its blank line.
        public internal(set) var length = 0
        /// How the end of the body is told.
        public internal(set) var body = ResponseBodyFraming.none
        /// Whether the connection can be used again when the body is complete.
        public internal(set) var isKeepAlive = true

        init() {}

        /// Whether this is an interim response, which another head follows (RFC 9110 section 15.2). 101 is none: what
        /// follows it is no longer HTTP/1.1.
        public var isInterim: Bool { status < 200 && status != 101 }

        /// The value of the first field with that name, in any case.
        ///
        /// - Parameters:
        ///   - name: the name; nothing is allocated when it is a literal.
        ///   - input: the bytes that were parsed.
        public func firstField(named name: String, in input: Span<UInt8>) -> Range<Int>? {
            for field in fields where FieldName.matches(field.name, of: input, name) { return field.value }
            return nil
        }

        mutating func reset() {
            fields.removeAll(keepingCapacity: true)
            reason = nil
            contentType = nil
            length = 0
        }
    }
}
