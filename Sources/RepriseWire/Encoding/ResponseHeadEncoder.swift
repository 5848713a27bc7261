// SPDX-License-Identifier: Apache-2.0

/// Writes the heads of responses (RFC 9112 section 4) exactly as given.
public enum ResponseHeadEncoder: HeadEncoder {
    /// Appends `HTTP/1.1 status reason` and CR LF. With an empty reason the space before it stays, as the RFC wants.
    @inlinable
    public static func appendStatusLine(status: Int, reason: String, to output: inout [UInt8]) {
        appendStatusLine(status: status, reason: Array(reason.utf8), to: &output)
    }

    /// Appends `HTTP/1.1`, the status, and a reason that need not be UTF-8.
    public static func appendStatusLine(status: Int, reason: [UInt8], to output: inout [UInt8]) {
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        DecimalDigits.append(status, to: &output)
        output.append(0x20)
        output.append(contentsOf: reason)
        appendLineEnd(to: &output)
    }

    /// Appends a status line as it is, and CR LF.
    @inlinable
    public static func appendStatusLine(_ line: some Collection<UInt8>, to output: inout [UInt8]) {
        output.append(contentsOf: line)
        appendLineEnd(to: &output)
    }
}
