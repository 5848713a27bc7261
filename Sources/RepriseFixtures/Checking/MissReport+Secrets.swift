// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
package import RepriseMatching
package import RepriseRedaction
internal import RepriseText

extension MissReport {
    /// Returns a function that hides possible secrets in a request, for reports that are written to logs: those that a
    /// redaction finds, by the names of their fields or by their shape, and those that were redacted in this process.
    package static func hidingSecrets(_ redaction: Redaction) -> @Sendable (Part) -> [UInt8]? {
        let secrets = ShownSecrets(redaction: redaction)
        return { secrets.shown($0) }
    }
}

/// Decides what a report may show.
private struct ShownSecrets: Sendable {
    let redaction: Redaction

    func shown(_ part: MissReport.Part) -> [UInt8]? {
        let memory = SecretMemory.shared
        switch part {
        case .target(let target): return memory.redacted(URLRedaction(redaction).redacted(target))
        case .value(let name, let bytes):
            let isHidden =
                switch name {
                case .body: isSecret(body: bytes) || isSecret(path: bytes)
                case .bodyPointer(let pointer): isSecret(bytes, at: pointer)
                default: isSecret(name)
                }
            return isHidden || isSecret(bytes) || memory.redacted(bytes) != bytes ? nil : bytes
        case .line(let line): return memory.redacted(redaction.redacted(line).bytes)
        case .content(let body, let headers): return (try? redacted(body, headers)).map(memory.redacted)
        }
    }

    private func redacted(_ body: [UInt8], _ headers: [HeaderLine]) throws -> [UInt8] {
        var redactor = redaction.bodyRedactor(for: headers)
        return Array((try redactor.append(body) + redactor.finish().pieces).joined())
    }

    private func isSecret(_ text: [UInt8]) -> Bool {
        !TextRedaction(redaction).cuts(in: text).isEmpty
    }

    /// Whether a text is a JSONPath or an XPath with the name of a secret, such as `$.password [equalTo] a`, which a
    /// stub expects of a body.
    private func isSecret(path text: [UInt8]) -> Bool {
        guard let first = text.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "/") else { return false }
        let names = text.split { byte in
            let isPart = (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte >= 0x80 || "_-".utf8.contains(byte)
            return !isPart
        }
        return names.contains { isSecret($0, in: .json) || redaction.rules.namesPath(endingIn: $0) }
    }

    /// Whether a body of unknown type contains secrets when it is read as JSON or as a form.
    private func isSecret(body: [UInt8]) -> Bool {
        [nil, HeaderLine(bytes: Array("Content-Type: application/x-www-form-urlencoded".utf8))].contains { type in
            (try? redacted(body, type.map { [$0] } ?? [])) != body
        }
    }

    /// Whether the value at a JSON Pointer (RFC 6901) contains secrets, by the names in the value and in the pointer.
    private func isSecret(_ value: [UInt8], at pointer: [UInt8]) -> Bool {
        let parts = String(decoding: pointer, as: UTF8.self).unicodeScalars
            .split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { name(ofPointerPart: $0) }
        if let last = parts.last, isSecret(Array(last.utf8)[...], in: .json) { return true }
        // A number can be that of an element, or the name of a member.
        return [true, false].contains { hasArrays in
            let json = parts.reversed().reduce(value) { json, part in
                guard hasArrays, let index = Int(part), 0..<1000 ~= index else {
                    return Array("{\"\(part)\":".utf8) + json + [UInt8(ascii: "}")]
                }
                return Array("[\(String(repeating: "0,", count: index))".utf8) + json + [UInt8(ascii: "]")]
            }
            return (try? redacted(json, [])) != json
        }
    }

    /// Whether a field with this name contains a secret.
    private func isSecret(_ name: FieldVerdict.Name) -> Bool {
        switch name {
        case .queryPair(let name): isSecret(name, in: .query)
        case .bodyPair(let name): isSecret(name, in: .form)
        case .bodyPart(let name?, _, _): isSecret(name[...], in: .form)
        case .header(let name), .selection(let name):
            isSecret(Array(name.utf8)[...], in: .header)
        case .method, .path, .query, .body, .bodyPart, .bodyPointer, .host: false
        }
    }

    private func isSecret(_ name: ArraySlice<UInt8>, in field: SecretNames.Fields) -> Bool {
        FormText.verdict(of: name.span, in: field, redaction.rules.names) != nil
    }
}
