// SPDX-License-Identifier: Apache-2.0

package import RepriseMatching
internal import RepriseRedaction
internal import RepriseText

extension MissReport {
    /// The report without what may be secret in the request, for whoever reads what a client or a server tells.
    ///
    /// Secrets are those of the standard rules: told by the names of their fields, or by what they look like.
    package var withoutSecrets: MissReport {
        var report = self
        let target = path + (query.map { [UInt8(ascii: "?")] + $0 } ?? [])
        let parts = URLRedaction(.standard).redacted(target).split(
            separator: UInt8(ascii: "?"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        report.path = Array(parts[0])
        report.query = query.map { _ in parts.count > 1 ? Array(parts[1]) : [] }
        for miss in report.nearMisses.nearest.indices {
            let verdicts = report.nearMisses.nearest[miss].verdicts
            report.nearMisses.nearest[miss].verdicts = verdicts.map(\.withoutSecret)
        }
        return report
    }

}

extension FieldVerdict {
    /// The same, but where the request's value may be a secret, it is not told.
    fileprivate var withoutSecret: FieldVerdict {
        guard !isEqual, case .bytes(let bytes) = foundValue, !bytes.isEmpty else { return self }
        guard name.isSecret || name == .body && Self.isSecret(body: Array(bytes)) || Self.isSecret(Array(bytes)) else {
            return self
        }
        return FieldVerdict(
            name,
            isEqual: false,
            isRequired: isRequired,
            expected: expectedValue,
            found: .hidden("something that is not told")
        )
    }

    private static func isSecret(_ text: [UInt8]) -> Bool {
        !TextRedaction(rules: .standard).cuts(in: text).isEmpty
    }

    /// Whether a body of no known type holds secrets, read as JSON or as a form.
    private static func isSecret(body: [UInt8]) -> Bool {
        [nil, HeaderLine(bytes: Array("Content-Type: application/x-www-form-urlencoded".utf8))].contains { type in
            var redactor = Redaction.standard.bodyRedactor(for: type.map { [$0] } ?? [])
            do {
                let pieces = try redactor.append(body) + redactor.finish().pieces
                return !pieces.joined().elementsEqual(body)
            } catch {
                return true
            }
        }
    }
}

extension FieldVerdict.Name {
    /// Whether a field with this name holds a secret.
    fileprivate var isSecret: Bool {
        switch self {
        case .queryPair(let name): Self.isSecret(name, in: .query)
        case .bodyPair(let name): Self.isSecret(name, in: .form)
        case .bodyPart(let name?, _, _): Self.isSecret(name[...], in: .form)
        case .bodyPointer(let pointer): Self.isSecret(pointer.split(separator: UInt8(ascii: "/")).last ?? [], in: .json)
        case .header(let name):
            Self.isSecret(Array(name.utf8)[...], in: .header)
        case .method, .path, .query, .body, .bodyPart, .host: false
        }
    }

    private static func isSecret(_ name: ArraySlice<UInt8>, in field: SecretNames.Fields) -> Bool {
        FormText.verdict(of: name.span, in: field, RedactionRules.standard.names) != nil
    }
}
