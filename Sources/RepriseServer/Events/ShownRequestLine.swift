// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction
internal import RepriseText

/// The text of a request line in the log: the method and the target, without secrets.
///
/// The text of the last request line is kept, because the next request is often the same.
struct ShownRequestLine {
    private let redaction: Redaction
    private var line: [UInt8] = []
    private var shown = ""
    /// The ``SecretMemory/total`` before the line was searched, so that a secret that becomes known during the
    /// search leads to another search.
    private var secretCount = -1

    init(_ redaction: Redaction) {
        self.redaction = redaction
    }

    mutating func text(ofHead head: Span<UInt8>) -> String {
        let secretCount = SecretMemory.shared.total
        let length = RequestLineText.length(ofLineIn: head)
        if secretCount == self.secretCount, isLine(head, length) { return shown }
        line.removeAll(keepingCapacity: true)
        line.append(bytes: head.extracting(..<length))
        self.secretCount = secretCount
        shown = Self.text(of: line, redaction)
        return shown
    }

    private func isLine(_ head: Span<UInt8>, _ length: Int) -> Bool {
        guard length == line.count else { return false }
        let line = line.span
        for index in line.indices where line[index] != head[index] { return false }
        return true
    }

    static func text(of line: [UInt8], _ redaction: Redaction) -> String {
        // A log outlives the run, for example in a file or on a CI server.
        let text = DisplayText.escaped(RequestLineText.withoutSecrets(line, redaction)[...], limit: 200)
        return text.hasSuffix(" HTTP/1.1") ? String(text.dropLast(9)) : text
    }
}
