// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

extension RequestHead {
    /// The values of all lines with that name, joined as RFC 9110 section 5.2 says.
    func joinedValue(of name: String, in bytes: Span<UInt8>) -> [UInt8]? {
        var value: [UInt8]?
        for field in fields where FieldName.matches(field.name, of: bytes, name) {
            value = value.map { $0 + Array(", ".utf8) + bytes.bytes(field.value) } ?? bytes.bytes(field.value)
        }
        return value
    }

    func isHead(in bytes: Span<UInt8>) -> Bool {
        method.count == 4 && bytes[method.lowerBound] == UInt8(ascii: "H") && bytes.text(method) == "HEAD"
    }
}

extension Span<UInt8> {
    /// The bytes of `range` as text; what is not UTF-8 becomes U+FFFD.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes(range), as: UTF8.self)
    }

    func bytes(_ range: Range<Int>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for index in range { copy.append(self[index]) }
        return copy
    }
}
