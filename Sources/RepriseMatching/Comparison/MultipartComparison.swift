// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares multipart bodies part by part.
enum MultipartComparison {
    /// Whether a canonical body matches `expected`, including its masks.
    static func isEqual(_ expected: MaskedText, _ found: [UInt8]) -> Bool {
        let (parts, others) = (CanonicalMultipart.parts(expected.bytes.span), CanonicalMultipart.parts(found.span))
        guard parts.count == others.count else { return false }
        return zip(parts, others).allSatisfy { part, other in
            areEqualLines(expected[part.headers], found[other.headers])
                && expected[part.content].matches(found[other.content])
        }
    }

    /// Whether header blocks are equal line by line. A mask never matches a whole line.
    private static func areEqualLines(_ expected: MaskedText, _ found: ArraySlice<UInt8>) -> Bool {
        if expected.bytes == found { return true }
        let (lines, others) = (expected.bytes.split(separator: 0x0A), found.split(separator: 0x0A))
        return lines.count == others.count
            && zip(lines, others).allSatisfy { expected[$0.startIndex..<$0.endIndex].matches($1) }
    }

    /// Appends one verdict for each part that differs, at most about `limit`, named after the part.
    static func append(
        _ expected: MaskedText,
        _ found: [UInt8],
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        let (parts, others) = (CanonicalMultipart.parts(expected.bytes.span), CanonicalMultipart.parts(found.span))
        let end = verdicts.count + limit
        for index in 0..<max(parts.count, others.count) where verdicts.count < end {
            let part = index < parts.count ? parts[index] : nil
            let other = index < others.count ? others[index] : nil
            let name = name(
                (part.map { expected.bytes[$0.headers] } ?? other.map { found[$0.headers] }) ?? []
            )
            for isHeader in [true, false] {
                let value = part.map { expected[isHeader ? $0.headers : $0.content] }
                let otherValue = other.map { found[isHeader ? $0.headers : $0.content] }
                // A part that is missing on one side is reported only once.
                if isHeader, value == nil || otherValue == nil { continue }
                let field = FieldVerdict.Name.bodyPart(name: name, number: index + 1, isHeader: isHeader)
                appendPart(field, value, otherValue, to: &verdicts)
            }
        }
    }

    private static func appendPart(
        _ field: FieldVerdict.Name,
        _ expected: MaskedText?,
        _ found: ArraySlice<UInt8>?,
        to verdicts: inout [FieldVerdict]
    ) {
        if let expected, expected.isMasked {
            if let found, expected.matches(found) { return }
            let hidden = found.map { _ in FieldVerdict.Value.hidden("another text") } ?? .nothing
            verdicts.append(
                FieldVerdict(field, isEqual: false, expected: FieldVerdict.Value(expected), found: hidden)
            )
        } else if let expected, let found {
            if expected.bytes != found { verdicts.append(BodyPredicate.bytesVerdict(field, expected.bytes, found)) }
        } else {
            let (value, other) = (FieldVerdict.Value(expected?.bytes), FieldVerdict.Value(found))
            verdicts.append(FieldVerdict(field, isEqual: false, expected: value, found: other))
        }
    }

    /// Returns the `name` parameter of a part's Content-Disposition (RFC 7578 section 4.2).
    private static func name(_ headers: ArraySlice<UInt8>) -> [UInt8]? {
        for line in headers.split(separator: 0x0A) where line.starts(with: "content-disposition:".utf8) {
            return HeaderParameters.value(of: "name", in: Array(line))
        }
        return nil
    }
}
