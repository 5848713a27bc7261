// SPDX-License-Identifier: Apache-2.0

/// One header or trailer line as it was on the wire, without its line end.
///
/// The bytes are the truth: order, case, duplicates and inner white space survive, and a line need not be UTF-8.
/// A value of this type is safe to write to a connection: its name is a token with a colon after it, and its value has no
/// control character but tabs (RFC 9110 sections 5.1 and 5.5). Bytes beyond ASCII are left as they are.
public struct HeaderLine: Sendable, Hashable {
    /// The line's bytes, without CR LF.
    public let bytes: [UInt8]
    private let colon: Int
    /// A remark of the file's author.
    public var note: String?

    /// Fails if the bytes are no header line; ``problem(in:)`` says why.
    public init?(bytes: [UInt8]) {
        guard let colon = try? Self.colon(in: bytes.span) else { return nil }
        self.bytes = bytes
        self.colon = colon
    }

    /// The line `string` stands for, in UTF-8; fails as ``init(bytes:)`` does.
    public init?(_ string: String) {
        self.init(bytes: Array(string.utf8))
    }

    /// The line `name: value`, for names and values that are known to be valid.
    public init(name: String, value: String) {
        guard let line = HeaderLine("\(name): \(value)") else {
            preconditionFailure("not a header line: \(name): \(value)")
        }
        self = line
    }

    /// The name as written, without the colon.
    public var name: String { String(decoding: bytes[..<colon], as: UTF8.self) }

    /// The value without the white space around it (RFC 9110 section 5.5).
    public var value: String { String(decoding: valueBytes, as: UTF8.self) }

    /// The value's bytes without the white space around it.
    public var valueBytes: ArraySlice<UInt8> {
        var value = bytes[(colon + 1)...]
        while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        return value
    }

    /// Whether the name is `other`, in any case (RFC 9110 section 5.1).
    public func hasName(_ other: String) -> Bool {
        guard other.utf8.count == colon else { return false }
        return zip(bytes, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// Whether `token` is a member of the value as a comma-separated list, in any case (RFC 9110 section 5.6.1).
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

    /// The same line with another value: the spelling of the name and the white space after the colon stay.
    public func replacingValue(with value: String) -> HeaderLine? {
        HeaderLine(bytes: Array(bytes[..<valueBytes.startIndex]) + Array(value.utf8))
    }
}

extension Sequence<HeaderLine> {
    /// The lines with that name, in any case, in order.
    @inlinable
    public func lines(named name: String) -> [HeaderLine] {
        filter { $0.hasName(name) }
    }

    /// The first line's value with that name, in any case.
    @inlinable
    public func firstValue(named name: String) -> String? {
        first { $0.hasName(name) }?.value
    }
}

extension UInt8 {
    /// The lower-case letter of an ASCII capital; any other byte as it is.
    @inline(__always)
    @inlinable
    package var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
