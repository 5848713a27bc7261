// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the companions of signatures in XML: the times and nonces beside a signature, or beside a password that is a
/// digest of them (WS-Security UsernameToken Profile 1.1.1 section 3.1).
enum SignedMarkup {
    /// An element that contains only text.
    struct Field {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// The maximum number of fields that are looked at together.
    static let maximumCount = 64
    private static let maximumLength = 4 << 10
    private static let header = Array("security".utf8)
    private static let messageID = Array("messageid".utf8)
    private static let password = Array("password".utf8)
    private static let nonce = Array("nonce".utf8)
    private static let signature = Array("signaturevalue".utf8)
    private static let digest = Array("digestvalue".utf8)

    /// Whether an element is the security header of a SOAP message, whose parts depend on each other.
    static func isHeader(_ name: Span<UInt8>) -> Bool { isNamed(name, header) }

    /// Whether an element is the identifier of a SOAP message (Web Services Addressing 1.0 section 3.2), which differs
    /// in each request, like the times and nonces of a security header.
    static func isMessageID(_ name: Span<UInt8>) -> Bool { isNamed(name, messageID) }

    /// Returns the ranges of the values that are companions.
    static func companions(_ fields: [Field], _ text: Span<UInt8>, _ names: SecretNames) -> [Range<Int>] {
        func has(_ local: [UInt8]) -> Bool { fields.contains { isNamed(text.extracting($0.name), local) } }
        var signed = SignedFields(.json)
        if has(signature) || has(nonce) && has(password) { signed.sign() }
        for field in fields {
            let value = field.value.count <= maximumLength ? slice(field.value, text) : []
            signed.add(name: slice(field.name, text), value: value, names)
        }
        var ranges = signed.companions.map { fields[$0].value }
        // What a signature covers has a digest (XML Signature section 4.4), which changes with it.
        if has(signature) {
            for field in fields where !RedactionMarker.occurs(in: text.extracting(field.value)) {
                let name = text.extracting(field.name)
                if isNamed(name, signature) || isNamed(name, digest) { ranges.append(field.value) }
            }
        }
        return ranges
    }

    /// Whether the name of an element, without its namespace, is `local`.
    private static func isNamed(_ name: Span<UInt8>, _ local: [UInt8]) -> Bool {
        let start = name.count - local.count
        guard start >= 0, name.hasWord(local, at: start) else { return false }
        return start == 0 || name[start - 1] == UInt8(ascii: ":")
    }

    private static func slice(_ range: Range<Int>, _ text: Span<UInt8>) -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for index in range { bytes.append(text[index]) }
        return bytes[...]
    }
}
