// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds secrets in what a text means: in JSON inside a JSON string, in a form inside it, in percent-encoded and
/// Base64 text, in XML, in lines such as `password: x` and `export API_KEY=x`, and in fields next to their names.
///
/// A view is a decoded text with a map to the bytes that spell it. Views are nested up to
/// ``DecodedTextScanner/maximumDepth`` levels. The work is limited to a multiple of the size of the text.
enum DecodedViews {
    /// The maximum size of a text that is scanned as a whole, in bytes.
    static let budget = 256 << 10

    /// Returns the cuts for the secrets in a whole body.
    ///
    /// - Parameters:
    ///   - isScript: Whether the body is a script, or a page that can contain scripts.
    ///   - declared: The declared encoding, if it has wide characters. Others are detected.
    static func cuts(
        in body: [UInt8],
        kind: BodyKind,
        rules: RedactionRules,
        isScript: Bool = false,
        declared: TextEncoding? = nil
    ) -> [Cut] {
        let slice = body[...]
        return cuts(in: slice.span, kind: kind, rules: rules, isScript: isScript, declared: declared)
    }

    static func cuts(
        in body: Span<UInt8>,
        kind: BodyKind,
        rules: RedactionRules,
        isScript: Bool = false,
        declared: TextEncoding? = nil
    ) -> [Cut] {
        if kind == .opaque { return [] }
        var scan = DecodedTextScanner(rules, size: body.count, isScript: isScript)
        if let encoding = TextEncoding.wide(body) ?? declared {
            scan.look(at: body, in: encoding)
            // A declared encoding is sometimes wrong.
            if TextEncoding.isSurelyWide(body) { return scan.cuts }
        }
        if case .multipart(let boundary) = kind {
            scan.lookAtParts(body, boundary: boundary)
        } else {
            scan.look(at: body)
        }
        return scan.cuts
    }

    /// Returns the cuts for the secrets in a short text: the value of a header line or a part of a URL.
    ///
    /// - Parameter isIdentifier: Whether the name of the text denotes an identifier, see ``IdentifierName``. The
    ///   default is `false`.
    static func cuts(inText text: [UInt8], rules: RedactionRules, isIdentifier: Bool = false) -> [Cut] {
        let slice = text[...]
        var scan = DecodedTextScanner(rules, size: text.count)
        scan.isIdentifier = isIdentifier
        scan.look(at: slice.span)
        return scan.cuts
    }
}
