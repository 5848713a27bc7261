// SPDX-License-Identifier: Apache-2.0

package import RepriseMatching
internal import RepriseRedaction
internal import RepriseText

extension MissReport {
    /// Hides possible secrets in a request, for reports that are written to logs.
    ///
    /// The standard rules find secrets by the names of their fields or by their shape.
    package static func hidingSecrets(_ part: Part) -> [UInt8]? {
        switch part {
        case .target(let target):
            URLRedaction(.standard).redacted(target)
        case .value(let name, let bytes):
            name.isSecret || name == .body && (isSecret(body: bytes) || isSecret(path: bytes)) || isSecret(bytes)
                ? nil : bytes
        case .line(let line): Redaction.standard.redacted(line).bytes
        case .content(let body, let headers): try? redacted(body, headers)
        }
    }

    private static func redacted(_ body: [UInt8], _ headers: [HeaderLine]) throws -> [UInt8] {
        var redactor = Redaction.standard.bodyRedactor(for: headers)
        return Array((try redactor.append(body) + redactor.finish().pieces).joined())
    }

    private static func isSecret(_ text: [UInt8]) -> Bool {
        !TextRedaction(.standard).cuts(in: text).isEmpty
    }

    /// Whether a text is a JSONPath or an XPath with the name of a secret, such as `$.password [equalTo] a`, which a
    /// stub expects of a body.
    private static func isSecret(path text: [UInt8]) -> Bool {
        guard let first = text.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "/") else { return false }
        let names = text.split { byte in
            let isPart = (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte >= 0x80 || "_-".utf8.contains(byte)
            return !isPart
        }
        return names.contains { FieldVerdict.Name.isSecret($0, in: .json) }
    }

    /// Whether a body of unknown type contains secrets when it is read as JSON or as a form.
    private static func isSecret(body: [UInt8]) -> Bool {
        [nil, HeaderLine(bytes: Array("Content-Type: application/x-www-form-urlencoded".utf8))].contains { type in
            (try? redacted(body, type.map { [$0] } ?? [])) != body
        }
    }
}

extension FieldVerdict.Name {
    /// Whether a field with this name contains a secret.
    fileprivate var isSecret: Bool {
        switch self {
        case .queryPair(let name): Self.isSecret(name, in: .query)
        case .bodyPair(let name): Self.isSecret(name, in: .form)
        case .bodyPart(let name?, _, _): Self.isSecret(name[...], in: .form)
        case .bodyPointer(let pointer): Self.isSecret(pointer.split(separator: UInt8(ascii: "/")).last ?? [], in: .json)
        case .header(let name), .selection(let name):
            Self.isSecret(Array(name.utf8)[...], in: .header)
        case .method, .path, .query, .body, .bodyPart, .host: false
        }
    }

    fileprivate static func isSecret(_ name: ArraySlice<UInt8>, in field: SecretNames.Fields) -> Bool {
        FormText.verdict(of: name.span, in: field, RedactionRules.standard.names) != nil
    }
}
