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

    /// - Parameter scheme: The scheme of the server's URLs.
    init(_ original: JournalEntry, _ redaction: Redaction, scheme: String) {
        let logged = LoggedRequest(original, original.facts(scheme: scheme))
        let body = Self.body(original.content, original.headers, redaction)
        var request = RecordedRequest(
            method: original.method,
            url: logged.absoluteURL ?? original.target,
            headers: body?.headers ?? original.headers,
            body: original.content.isEmpty ? nil : body.map { RecordedBody(.bytes($0.content)) }
        )
        request = redaction.redacted(request)
        self.request = request
        let line = redaction.redacted(requestLine: Array(original.requestLine.utf8))
        var redactedEntry = original
        redactedEntry.head = line + [0x0D, 0x0A] + request.headers.flatMap { $0.bytes + [0x0D, 0x0A] } + [0x0D, 0x0A]
        redactedEntry.content = body?.content ?? []
        entry = redactedEntry
        let redacted = original.sentAnswer.map { Self.response($0.head, $0.content, redaction) }
        response = redacted?.response
        let isWhole = original.isContentComplete
        omission = (
            body == nil ? Self.unsearchable : isWhole ? nil : "The journal has only the start of the content.",
            redacted == nil ? Self.unknown : redacted?.omission
        )
    }

    private static let unsearchable = "The content is left out because it cannot be searched for secrets."
    private static let unknown = "The journal does not have the content."

    private static func response(
        _ head: ResponseHead,
        _ content: [UInt8]?,
        _ redaction: Redaction
    ) -> (response: RecordedResponse, omission: String?) {
        guard let content, let body = body(content, head.headers, redaction) else {
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
        _ redaction: Redaction
    ) -> (content: [UInt8], headers: [HeaderLine])? {
        guard !content.isEmpty else { return (content, headers) }
        var redactor = redaction.bodyRedactor(for: headers)
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
