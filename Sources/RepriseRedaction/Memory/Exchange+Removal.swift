// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
package import RepriseText

extension Exchange {
    /// Redacts the values of `table` everywhere except in bodies in files.
    package mutating func remove(_ table: SecretTable, _ replacement: SecretReplacement) {
        let secrets = KnownSecrets(table: table, replacement: replacement)
        request.remove(secrets)
        guard case .response(var response) = outcome else { return }
        response.remove(secrets)
        outcome = .response(response)
    }
}

extension RecordedRequest {
    /// Redacts the values of `table` everywhere except in a body in a file.
    package mutating func remove(_ table: SecretTable, _ replacement: SecretReplacement) {
        remove(KnownSecrets(table: table, replacement: replacement))
    }

    fileprivate mutating func remove(_ secrets: KnownSecrets) {
        secrets.apply(toURL: &url)
        if var base {
            secrets.apply(toURL: &base)
            // A value that starts in the base and ends after it makes the base invalid.
            self.base = CassetteRules.fault(base: base, url: url) == nil ? base : nil
        }
        secrets.apply(to: &headers)
        secrets.apply(to: &trailers)
        if var body {
            secrets.apply(to: &body, &headers, &note)
            self.body = body
        }
    }
}

extension RecordedResponse {
    /// Redacts the values of `table` everywhere except in a body in a file.
    package mutating func remove(_ table: SecretTable, _ replacement: SecretReplacement) {
        remove(KnownSecrets(table: table, replacement: replacement))
    }

    fileprivate mutating func remove(_ secrets: KnownSecrets) {
        if let text = secrets.applied(to: reasonBytes) { reasonBytes = text }
        secrets.apply(to: &headers)
        secrets.apply(to: &trailers)
        for index in informational.indices {
            if let text = secrets.applied(to: informational[index].reasonBytes) {
                informational[index].reasonBytes = text
            }
            secrets.apply(to: &informational[index].headers)
        }
        switch content {
        case .none: return
        case .body(var body):
            secrets.apply(to: &body, &headers, &note)
            content = .body(body)
        case .stream(var steps):
            secrets.apply(to: &steps, &headers, &note)
            content = .stream(steps)
        }
    }
}

/// The secrets of a table, which are redacted in the parts of an exchange.
private struct KnownSecrets {
    let table: SecretTable
    let replacement: SecretReplacement

    /// Header fields that describe how to read a message. They never contain secrets.
    private static let framing = [
        "Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding", "Connection", "Host", "Date",
        "Upgrade",
    ]

    /// Returns the text with the secrets redacted, or `nil` if it contains none of them.
    func applied(to text: [UInt8]) -> [UInt8]? {
        let cuts = table.cuts(in: text)
        return cuts.isEmpty ? nil : replaced(cuts, in: text)
    }

    private func replaced(_ cuts: [Cut], in text: [UInt8]) -> [UInt8] {
        cuts.applied(to: text) { value, cut in replacement.text(for: value, cut.replacement, isSearched: false) }
    }

    /// Returns the pieces with the secrets redacted. A secret can continue from one piece to the next.
    private func pieces(_ pieces: [[UInt8]], without cuts: [Cut]) -> [[UInt8]] {
        var held = HeldPieces()
        for piece in pieces { held.append(piece) }
        held.cuts = cuts
        return held.release(upTo: held.end, isLast: true, replacement).pieces
    }

    /// Redacts secrets in a URL except in the scheme and the host.
    func apply(toURL url: inout String) {
        let bytes = Array(url.utf8)
        var start = 0
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) {
            start = bytes[(colon + 3)...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
        }
        let rest = Array(bytes[start...])
        let cuts = table.cuts(in: rest)
        guard !cuts.isEmpty else { return }
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.count
        let inPath = cuts.filter { $0.range.upperBound <= path }.keepingSlashes(in: rest)
        let kept = replaced(inPath + cuts.filter { $0.range.upperBound > path }, in: rest)
        url = String(decoding: bytes[..<start] + kept, as: UTF8.self)
    }

    func apply(to lines: inout [HeaderLine]) {
        for (index, line) in lines.enumerated() where !Self.framing.contains(where: { line.hasName($0) }) {
            let start = line.valueBytes.startIndex
            guard let value = applied(to: Array(line.bytes[start...])),
                var redacted = HeaderLine(bytes: line.bytes[..<start] + value)
            else { continue }
            redacted.note = line.note
            lines[index] = redacted
        }
    }

    func apply(to body: inout RecordedBody, _ headers: inout [HeaderLine], _ note: inout String?) {
        guard case .bytes(let bytes) = body.source else { return }
        var start = 0
        let sizes = body.chunks ?? [bytes.count]
        let chunks = sizes.map { size in
            defer { start = min(bytes.count, start + size) }
            return Array(bytes[start..<min(bytes.count, start + size)])
        }
        guard let kept = applied(to: chunks, &headers, &note) else { return }
        body.source = .bytes(Array(kept.joined()))
        // A chunk that consisted only of a secret is empty now and is left out.
        if body.chunks != nil { body.chunks = kept.map(\.count).filter { $0 > 0 } }
    }

    func apply(to steps: inout [StreamStep], _ headers: inout [HeaderLine], _ note: inout String?) {
        let chunks = steps.map { step in
            if case .bytes(let bytes) = step.event { bytes } else { [UInt8]() }
        }
        guard let kept = applied(to: chunks, &headers, &note) else { return }
        for index in steps.indices {
            if case .bytes = steps[index].event { steps[index].event = .bytes(kept[index]) }
        }
    }

    /// Returns the pieces of a body with the secrets redacted, or `nil` if they contain none. A body with a secret
    /// loses its content coding.
    private func applied(
        to body: [[UInt8]],
        _ headers: inout [HeaderLine],
        _ note: inout String?
    ) -> [[UInt8]]? {
        let cuts = table.cuts(in: Array(body.joined()))
        guard cuts.isEmpty else { return pieces(body, without: cuts) }
        guard let decoded = CodedBody.decoded(pieces: body, headers: headers) else { return nil }
        let inner = table.cuts(in: Array(decoded.joined()))
        guard !inner.isEmpty else { return nil }
        if let text = headers.dropContentEncoding() { note = note.map { "\($0); \(text)" } ?? text }
        return pieces(decoded, without: inner)
    }
}

extension SecretTable {
    /// Returns a body without its content coding and without the secrets in it, or `nil` if it has no coding or
    /// contains no secret.
    package func decodedBody(
        _ body: [UInt8],
        headers: [HeaderLine],
        _ replacement: SecretReplacement
    ) -> [UInt8]? {
        guard let decoded = CodedBody.decoded(body, headers: headers) else { return nil }
        return KnownSecrets(table: self, replacement: replacement).applied(to: decoded)
    }
}
