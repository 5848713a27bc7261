// SPDX-License-Identifier: Apache-2.0

/// Encodes response heads (RFC 9112 section 4) exactly as given.
public enum ResponseHeadEncoder: HeadEncoder {
    /// Appends `HTTP/1.1 status reason` and CR LF. The space before an empty reason is kept, as the RFC requires.
    @inlinable
    public static func appendStatusLine(status: Int, reason: String, to output: inout [UInt8]) {
        appendStatusLine(status: status, reason: Array(reason.utf8), to: &output)
    }

    /// Appends `HTTP/1.1`, the status, a reason that need not be UTF-8, and CR LF.
    public static func appendStatusLine(status: Int, reason: [UInt8], to output: inout [UInt8]) {
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        DecimalDigits.append(status, to: &output)
        output.append(0x20)
        output.append(contentsOf: reason)
        appendLineEnd(to: &output)
    }
}
