// SPDX-License-Identifier: Apache-2.0

extension ResponseParser {
    /// A status line and header section of a response (RFC 9112 sections 4 and 5), as offsets into the parsed bytes.
    ///
    /// The ranges preserve order, case and whitespace: ``statusLine`` and each field's ``FieldRange/line`` are
    /// exactly what was received. The head does not contain the bytes. Keep the input, and use the ranges to read
    /// from it.
    public struct Head: Sendable {
        /// The whole status line without its CR LF.
        public internal(set) var statusLine = 0..<0
        /// The minor version, x in HTTP/1.x.
        public internal(set) var minorVersion = 1
        /// The status code, 100 to 999.
        public internal(set) var status = 0
        /// The status code and the text after it, such as `200 OK`, `200 ` or `200`.
        public internal(set) var statusText = 0..<0
        /// The reason phrase after the status code and a space, which may be empty; nil if the space is missing.
        public internal(set) var reason: Range<Int>?
        /// The field lines, in order.
        public internal(set) var fields: [FieldRange] = []
        /// The value of the first Content-Type field.
        public internal(set) var contentType: Range<Int>?
        /// The length of the head, including the blank line.
        public internal(set) var length = 0
        /// How the body is delimited.
        public internal(set) var body = ResponseBodyFraming.none
        /// Whether the connection can be reused after the body is complete.
        public internal(set) var isKeepAlive = true

        init() {}

        /// Whether this is an interim response, which is followed by another head (RFC 9110 section 15.2). 101 is not
        /// one, because the bytes after it are no longer HTTP/1.1.
        public var isInterim: Bool { status < 200 && status != 101 }

        mutating func reset() {
            fields.removeAll(keepingCapacity: true)
            reason = nil
            contentType = nil
            length = 0
        }
    }
}
