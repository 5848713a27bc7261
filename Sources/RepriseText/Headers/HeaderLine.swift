// SPDX-License-Identifier: Apache-2.0

/// One header or trailer line as it was on the wire, without its line ending.
///
/// The original bytes are kept: order, case, duplicates, and inner whitespace are preserved, and a line need not be
/// UTF-8. A value of this type is safe to write to a connection: its name is a token followed by a colon, and its
/// value has no control characters except tabs (RFC 9110 sections 5.1 and 5.5). Non-ASCII bytes are left unchanged.
public struct HeaderLine: Sendable, Hashable {
    /// The line's bytes, without CR LF.
    public let bytes: [UInt8]
    private let colon: Int
    /// An optional comment by the author of the file.
    public var note: String?

    /// Creates a header line from its bytes. Returns `nil` if they are not a valid header line; use ``problem(in:)``
    /// to get the reason.
    public init?(bytes: [UInt8]) {
        guard let colon = try? Self.colon(in: bytes.span) else { return nil }
        self.bytes = bytes
        self.colon = colon
    }

    /// Creates a header line from the UTF-8 of `string`. Returns `nil` in the same cases as ``init(bytes:)``.
    public init?(_ string: String) {
        self.init(bytes: Array(string.utf8))
    }

    /// Creates the line `name: value`. The name and value must be valid.
    public init(name: String, value: String) {
        guard let line = HeaderLine("\(name): \(value)") else {
            preconditionFailure("not a header line: \(name): \(value)")
        }
        self = line
    }

    /// The name as written, without the colon.
    public var name: String { String(decoding: bytes[..<colon], as: UTF8.self) }

    /// The value without leading and trailing whitespace (RFC 9110 section 5.5).
    public var value: String { String(decoding: valueBytes, as: UTF8.self) }

    /// The value's bytes without leading and trailing whitespace.
    package var valueBytes: ArraySlice<UInt8> { bytes[(colon + 1)...].trimmingBlanks }

    /// Whether the name is `other`, ignoring case (RFC 9110 section 5.1).
    public func hasName(_ other: String) -> Bool {
        guard other.utf8.count == colon else { return false }
        var index = 0
        for byte in other.utf8 {
            guard bytes[index].asciiLowercased == byte.asciiLowercased else { return false }
            index &+= 1
        }
        return true
    }

    /// Whether the value, as a comma-separated list, contains `token`, ignoring case (RFC 9110 section 5.6.1).
    public func lists(_ token: String) -> Bool {
        var rest = bytes[(colon + 1)...]
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            let member = rest[..<end].drop { $0 == 0x20 || $0 == 0x09 }
            if member.count >= token.utf8.count,
                zip(member, token.utf8).allSatisfy({ $0.asciiLowercased == $1.asciiLowercased }),
                member.dropFirst(token.utf8.count).allSatisfy({ $0 == 0x20 || $0 == 0x09 })
            {
                return true
            }
            guard end < rest.endIndex else { return false }
            rest = rest[(end + 1)...]
        }
    }

    /// Returns the line with a different value. The spelling of the name and the whitespace after the colon are
    /// preserved.
    package func replacingValue(with value: String) -> HeaderLine? {
        HeaderLine(bytes: Array(bytes[..<valueBytes.startIndex]) + Array(value.utf8))
    }
}

extension Sequence<HeaderLine> {
    /// Returns the lines with the given name, ignoring case, in order.
    @inlinable
    public func lines(named name: String) -> [HeaderLine] {
        filter { $0.hasName(name) }
    }

    /// Returns the value of the first line with the given name, ignoring case.
    @inlinable
    public func firstValue(named name: String) -> String? {
        first { $0.hasName(name) }?.value
    }
}

extension String {
    /// The content codings in a Content-Encoding field with this value, in lowercase, in the order in which they were
    /// applied (RFC 9110 section 8.4). Without `identity`, and without `aws-chunked`, because its chunks are treated as
    /// part of the content.
    package var contentCodings: [String] {
        lowercased().utf8.split { $0 == UInt8(ascii: ",") || $0 == 0x20 || $0 == 0x09 }
            .map { String(Substring($0)) }.filter { $0 != "identity" && $0 != "aws-chunked" }
    }
}

extension Sequence<HeaderLine> {
    /// The content codings of these lines. See ``Swift/String/contentCodings``.
    package var contentCodings: [String] { lines(named: "Content-Encoding").flatMap(\.value.contentCodings) }
}

extension UInt8 {
    /// The lowercase form of an ASCII capital letter; any other byte unchanged.
    @inline(__always)
    @inlinable
    package var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
