// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A function that finds the masks in canonical bytes, the ranges where any bytes match. The ranges are in order and
/// do not overlap, and none contains a byte that separates segments, pairs, strings, or lines.
public typealias MaskFinder = @Sendable (Span<UInt8>) -> [Range<Int>]

/// How the masks of a pattern are found.
enum MaskSource: Sendable {
    /// The pattern has none.
    case none
    /// A function finds them.
    case finder(MaskFinder)
    /// They are the stand-ins of a table.
    case standIns(StandInTexts)
    /// They are the texts that replace all stand-ins for the lookup of requests.
    case neutral

    /// Returns the masks in canonical bytes of the given form.
    func masks(in bytes: [UInt8], _ form: CanonicalForm) -> [Mask] {
        switch self {
        case .none: []
        case .finder(let find): find(bytes.span).map { Mask($0) }
        case .standIns(let texts): StandInSplice(bytes, form, texts).unchanged.masks
        case .neutral: StandInTexts.neutralMasks(in: bytes.span)
        }
    }
}

extension RequestPattern {
    /// The masks in the parts of a recorded request.
    final class Masks: Sendable {
        let path: [Mask]
        let query: [Mask]
        let body: [Mask]

        /// Finds the masks. Returns `nil` if there are none.
        convenience init?(path: Path, query: [UInt8]?, body: BodyPattern, _ source: MaskSource) {
            if case .none = source { return nil }
            var (pathMasks, bodyMasks): ([Mask], [Mask]) = ([], [])
            if case .literal(let bytes) = path { pathMasks = source.masks(in: bytes, .path) }
            if case .equal(let kind, let bytes) = body { bodyMasks = source.masks(in: bytes, CanonicalForm(kind)) }
            self.init(path: pathMasks, query: query.map { source.masks(in: $0, .pairs) } ?? [], body: bodyMasks)
        }

        /// Creates the masks at known places. Returns `nil` if there are none.
        init?(path: [Mask], query: [Mask], body: [Mask]) {
            self.path = path
            self.query = query
            self.body = body
            if path.isEmpty, query.isEmpty, body.isEmpty { return nil }
        }
    }

    var maskedPath: MaskedText? {
        guard let masks, !masks.path.isEmpty, case .literal(let path) = path else { return nil }
        return MaskedText(path, masks: masks.path)
    }

    var maskedQuery: MaskedText? {
        guard let masks, !masks.query.isEmpty else { return nil }
        return queryText
    }

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
            value.map { MaskedText($0, masks: maskSource.masks(in: $0, .text)) }
        }
    }
}
