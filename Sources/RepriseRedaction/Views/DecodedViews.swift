// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds secrets in what a text means: in JSON inside a JSON string, in a form inside it, in percent-encoded and
/// Base64 text, in XML, in lines such as `password: x` and `export API_KEY=x`, and in fields next to their names.
///
/// A view is a decoded text with a map to the bytes that spell it. Views are nested up to ``ViewScan/maximumDepth``
/// levels. The work is limited to a multiple of the size of the text.
enum DecodedViews {
    /// The maximum size of a text that is scanned as a whole, in bytes.
    static let budget = 256 << 10

    /// Returns the cuts for the secrets in a whole body.
    ///
    /// - Parameter isScript: Whether the body is a script, or a page that can contain scripts.
    static func cuts(
        in body: [UInt8],
        kind: BodyKind,
        rules: RedactionRules,
        isScript: Bool = false
    ) -> [Cut] {
        let slice = body[...]
        return cuts(in: slice.span, kind: kind, rules: rules, isScript: isScript)
    }

    static func cuts(
        in body: Span<UInt8>,
        kind: BodyKind,
        rules: RedactionRules,
        isScript: Bool = false
    ) -> [Cut] {
        if kind == .opaque { return [] }
        var scan = ViewScan(rules, size: body.count, isScript: isScript)
        if let encoding = TextEncoding.wide(body) {
            scan.look(at: body, in: encoding)
        } else if case .multipart(let boundary) = kind {
            scan.lookAtParts(body, boundary: boundary)
        } else {
            scan.look(at: body)
        }
        return scan.cuts
    }

    /// Returns the cuts for the secrets in a short text: the value of a header line or a part of a URL.
    static func cuts(inText text: [UInt8], rules: RedactionRules) -> [Cut] {
        let slice = text[...]
        var scan = ViewScan(rules, size: text.count)
        scan.look(at: slice.span)
        return scan.cuts
    }
}
