// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parts of a short text that were redacted.
enum RemovedParts {
    /// Returns the values in `original` that `redacted` replaces with markers, except those that were already
    /// markers.
    static func of(_ original: [UInt8], _ redacted: [UInt8]) -> [(value: [UInt8], marker: [UInt8])] {
        let slice = redacted[...]
        let markers = RedactionMarker.ranges(in: slice.span)
        guard let first = markers.first, original.starts(with: redacted[..<first.lowerBound]) else { return [] }
        var parts: [(value: [UInt8], marker: [UInt8])] = []
        var start = first.lowerBound
        for (number, marker) in markers.enumerated() {
            let isLast = number + 1 == markers.count
            let text = redacted[marker.upperBound..<(isLast ? redacted.count : markers[number + 1].lowerBound)]
            guard let end = isLast ? max(start, original.count - text.count) : find(text, in: original, from: start)
            else { return parts }
            let value = Array(original[start..<end])
            let spelling = Array(redacted[marker])
            if !value.isEmpty, value != spelling { parts.append((value, spelling)) }
            start = end + text.count
        }
        return parts
    }

    private static func find(_ text: ArraySlice<UInt8>, in bytes: [UInt8], from start: Int) -> Int? {
        guard start + text.count <= bytes.count else { return nil }
        return (start...bytes.count - text.count).first { bytes[$0..<$0 + text.count] == text }
    }
}

/// The spellings in which a value can occur elsewhere.
enum RemovedSpellings {
    /// Returns the value. For credentials with a scheme (RFC 9110 section 11.4), the result includes the part after the
    /// scheme, and for Basic credentials (RFC 7617) also the decoded `user:password` and the password alone. Each of
    /// these is included as it is, percent-encoded, and as a JSON string.
    static func all(of value: [UInt8]) -> Set<[UInt8]> {
        var plain: Set<[UInt8]> = [value]
        for text in [value] + credentials(value) {
            let slice = text[...]
            plain.insert(text)
            if text.contains(UInt8(ascii: "%")) { plain.insert(FormText.decoded(slice.span)) }
            if text.contains(UInt8(ascii: "\\")) { plain.insert(JSONEscapes.decoded(slice.span)) }
        }
        var all = plain
        for text in plain {
            all.insert(PercentEscape.encoded(text.span, except: .unreserved))
            all.insert(jsonEscaped(text))
        }
        return all
    }

    private static func credentials(_ value: [UInt8]) -> [[UInt8]] {
        let words = value.split(separator: 0x20)
        guard words.count == 2, words[0].allSatisfy({ isAlphanumeric($0) || $0 == UInt8(ascii: "-") }) else {
            return []
        }
        let credentials = Array(words[1])
        guard words[0].map(\.asciiLowercased).elementsEqual("basic".utf8),
            let decoded = Base64.decode(credentials[...]), let colon = decoded.firstIndex(of: UInt8(ascii: ":"))
        else { return [credentials] }
        return [credentials, decoded, Array(decoded[(colon + 1)...])]
    }

    private static func jsonEscaped(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case 0x0A: output += Array("\\n".utf8)
            case 0x0D: output += Array("\\r".utf8)
            case 0x09: output += Array("\\t".utf8)
            default: output.append(byte)
            }
        }
        return output
    }
}
