// SPDX-License-Identifier: Apache-2.0

/// The head of a response as received over the wire (RFC 9112 section 2.1).
///
/// Parsed header fields lose details: the order of fields with different names, whitespace around values, and bytes
/// that are not UTF-8. A recording keeps them. If the transport decoded the content, the lines of Content-Encoding and
/// Content-Length are left out.
public struct RawHead: Sendable, Hashable {
    /// The status line and the field lines, each with its CR LF, without the blank line after them.
    public let bytes: [UInt8]

    /// Creates a head.
    ///
    /// - Parameter bytes: The status line and the field lines, each with its CR LF.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The status line, such as `HTTP/1.1 200 OK`, without its line end.
    public var statusLine: ArraySlice<UInt8> { lines.first ?? [] }

    /// The field lines in order, such as `Content-Type: text/plain`, without their line ends.
    public var fieldLines: ArraySlice<ArraySlice<UInt8>> { lines.dropFirst() }

    private var lines: [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
    }
}
