// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseAnswers
internal import RepriseCassettes
internal import RepriseFixtures
internal import RepriseRedaction
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A request in the journal with its answer, without secrets, for export.
struct RedactedEntry {
    let entry: JournalEntry
    let request: RecordedRequest
    /// The answer, redacted; nil if it is unknown, or if there was none.
    let response: RecordedResponse?
    /// The reasons that the contents of the request and the response are incomplete; nil for complete content.
    let omission: (request: String?, response: String?)

    /// - Parameters:
    ///   - table: Known secrets, which are redacted wherever they occur; `nil` for none.
    ///   - scheme: The scheme of the server's URLs.
    init(_ original: JournalEntry, _ redaction: Redaction, removing table: SecretTable? = nil, scheme: String) {
        let url = LoggedRequest(original, original.facts(scheme: scheme)).absoluteURL ?? original.target
        let names = PathNames(url)
        let body = Self.body(original.content, original.headers, redaction, names.names(inRequest: true))
        var request = RecordedRequest(
            method: original.method,
            url: url,
            headers: body?.headers ?? original.headers,
            body: original.content.isEmpty ? nil : body.map { RecordedBody(.bytes($0.content)) }
        )
        request = redaction.redacted(request)
        let answer = original.sentAnswer.map {
            Self.response($0.head, $0.content, redaction, names.names(inRequest: false))
        }
        var response = answer?.response
        var line = redaction.redacted(requestLine: Array(original.requestLine.utf8))
        if let table {
            request.remove(table, redaction.replacement)
            response?.remove(table, redaction.replacement)
            line = table.redacted(line)
        }
        (self.request, self.response) = (request, response)
        var redactedEntry = original
        redactedEntry.head = line + [0x0D, 0x0A] + request.headers.flatMap { $0.bytes + [0x0D, 0x0A] } + [0x0D, 0x0A]
        redactedEntry.content = if case .bytes(let content)? = request.body?.source { content } else { [] }
        entry = redactedEntry
        let isWhole = original.isContentComplete
        omission = (
            body == nil ? Self.unsearchable : isWhole ? nil : "The journal has only the start of the content.",
            answer == nil ? Self.unknown : answer?.omission
        )
    }

    private static let unsearchable = "The content is left out because it cannot be searched for secrets."
    private static let unknown = "The journal does not have the content."

    private static func response(
        _ head: ResponseHead,
        _ content: [UInt8]?,
        _ redaction: Redaction,
        _ names: PathNames
    ) -> (response: RecordedResponse, omission: String?) {
        guard let content, let body = body(content, head.headers, redaction, names) else {
            let reason = content == nil ? unknown : unsearchable
            return (RecordedResponse(status: head.status, reason: head.reason), reason)
        }
        var response = RecordedResponse(
            status: head.status,
            reason: redaction.redacted(text: head.reason),
            headers: redaction.redacted(body.headers)
        )
        if !content.isEmpty { response.content = .body(RecordedBody(.bytes(body.content))) }
        return (response, nil)
    }

    /// Returns content without secrets, and its header lines; nil if it cannot be searched.
    private static func body(
        _ content: [UInt8],
        _ headers: [HeaderLine],
        _ redaction: Redaction,
        _ names: PathNames
    ) -> (content: [UInt8], headers: [HeaderLine])? {
        guard !content.isEmpty else { return (content, headers) }
        var redactor = redaction.bodyRedactor(for: headers, at: names)
        do throws(BodyRedactor.Unscannable) {
            let first = try redactor.append(content)
            let rest = try redactor.finish()
            let all = Array((first + rest.pieces).joined())
            return (all, rest.isDecoded ? headers.filter { $0.name.lowercased() != "content-encoding" } : headers)
        } catch {
            return nil
        }
    }

    /// The entry as an exchange of a cassette; nil if the request or its answer is incomplete.
    var exchange: Exchange? {
        guard omission.request == nil, omission.response == nil, let response else { return nil }
        let milliseconds = entry.duration.map { ($0 / .milliseconds(1) * 1000).rounded() / 1000 }
        let time = RecordingTime(at: entry.received.formatted(.iso8601), milliseconds: milliseconds)
        return Exchange(request: request, outcome: .response(response), recorded: time)
    }
}
