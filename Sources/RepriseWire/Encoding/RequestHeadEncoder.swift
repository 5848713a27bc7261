// SPDX-License-Identifier: Apache-2.0

/// Encodes request heads (RFC 9112 section 3) exactly as given.
public enum RequestHeadEncoder: HeadEncoder {
    /// Appends `method target HTTP/1.1` and CR LF.
    @inlinable
    public static func appendRequestLine(method: String, target: String, to output: inout [UInt8]) {
        output.append(contentsOf: method.utf8)
        output.append(0x20)
        output.append(contentsOf: target.utf8)
        output.append(contentsOf: " HTTP/1.1\r\n".utf8)
    }
}
