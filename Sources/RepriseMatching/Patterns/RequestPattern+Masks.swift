// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A function that finds the masks in canonical bytes, the ranges where any bytes match. The ranges are in order and
/// do not overlap, and none contains a byte that separates segments, pairs, strings, or lines.
public typealias MaskFinder = @Sendable (Span<UInt8>) -> [Range<Int>]

extension RequestPattern {
    /// The path if it has masks.
    var maskedPath: MaskedText? {
        guard let masks, !masks.path.isEmpty, case .literal(let path) = path else { return nil }
        return MaskedText(path, masks: masks.path)
    }

    /// The query if it has masks.
    var maskedQuery: MaskedText? {
        guard let masks, !masks.query.isEmpty else { return nil }
        return queryText
    }

    /// The body if it has masks.
    var maskedBody: MaskedText? {
        guard let masks, !masks.body.isEmpty else { return nil }
        return bodyText
    }

    /// The query; `nil` if queries are not compared.
    var queryText: MaskedText? { query.map { MaskedText($0, masks: masks?.query ?? []) } }

    /// The canonical form of the body; empty if bodies are not compared.
    var bodyText: MaskedText {
        guard case .equal(_, let bytes) = body else { return MaskedText([]) }
        return MaskedText(bytes, masks: masks?.body ?? [])
    }

    /// Returns the values of the header fields with these names; `nil` for a missing field.
    func headerTexts(_ names: [String]) -> [MaskedText?] {
        HeaderKey.values(of: names, in: headers).map { value in
            value.map { MaskedText($0, masks: findMasks?($0.span) ?? []) }
        }
    }
}
