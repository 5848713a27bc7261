// SPDX-License-Identifier: Apache-2.0

public import RepriseWire

/// The head of a response: its status and its field lines.
///
/// They lie in one text in the form of HTTP/1.1 (RFC 9112 sections 4 and 5), which has the bytes exactly as received
/// unless they had to be repaired.
public struct IncomingHead: Sendable {
    /// The status code: 101, or 200 to 999; 100 to 199 if the response is informational.
    public let status: Int
    /// The whole head, including line ends and the blank line.
    public let bytes: [UInt8]
    let statusLineEnd: Int
    let statusTextStart: Int
    let ranges: [FieldRange]
    /// The length of the body in bytes, or nil if the head does not specify it.
    let length: Int?
    /// Whether the server uses HTTP/1.0.
    public let isHTTP10: Bool
    /// What was repaired in the head.
    public let repairs: ResponseRepairs

    /// The whole status line, such as `HTTP/1.1 200 OK`.
    public var statusLine: ArraySlice<UInt8> { bytes[..<statusLineEnd] }

    /// The status code and the text after it, such as `200 OK`.
    public var statusText: ArraySlice<UInt8> { bytes[statusTextStart..<statusLineEnd] }

    /// The text after the status code, which may be empty.
    public var reason: ArraySlice<UInt8> { statusText.dropFirst(4) }

    /// The field lines, in order.
    public var fields: Fields { Fields(bytes: bytes, ranges: ranges) }

    /// The field lines of a head, which are split when they are accessed.
    public struct Fields: RandomAccessCollection, Sendable {
        let bytes: [UInt8]
        let ranges: [FieldRange]

        /// The index of the first line, 0.
        public var startIndex: Int { 0 }
        /// The number of lines.
        public var endIndex: Int { ranges.count }

        /// Returns the line at an index.
        public subscript(position: Int) -> Field { Field(bytes: bytes, range: ranges[position]) }
    }

    /// A field line.
    public struct Field: Sendable {
        let bytes: [UInt8]
        let range: FieldRange

        /// The line as received, without its CR LF.
        public var line: ArraySlice<UInt8> { bytes[range.line] }
        /// The name as received.
        public var name: String { String(decoding: bytes[range.name], as: UTF8.self) }
        /// The value without surrounding whitespace. Bytes that are not valid UTF-8 are replaced.
        public var value: String { String(decoding: bytes[range.value], as: UTF8.self) }
        /// The bytes of the value.
        public var valueBytes: ArraySlice<UInt8> { bytes[range.value] }
    }
}

extension IncomingHead {
    init(_ head: ResponseParser.Head, bytes: [UInt8], repairs: ResponseRepairs = []) {
        self.repairs = repairs
        status = head.status
        isHTTP10 = head.minorVersion == 0
        self.bytes = bytes
        statusLineEnd = head.statusLine.upperBound
        statusTextStart = head.statusText.lowerBound
        ranges = head.fields
        length = if case .length(let length) = head.body { length } else { nil }
    }
}
