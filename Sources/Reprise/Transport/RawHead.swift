// SPDX-License-Identifier: Apache-2.0

/// The head of a response as it came over the wire (RFC 9112 section 2.1).
///
/// Header fields lose something when they are understood: their order among different names, white space around the
/// value, bytes that are not UTF-8. A recording keeps it.
public struct RawHead: Sendable, Hashable {
    /// The status line and the field lines, each with its CR LF, without the blank line behind them.
    public let bytes: [UInt8]

    /// A head.
    ///
    /// - Parameter bytes: the status line and the field lines, each with CR LF.
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
