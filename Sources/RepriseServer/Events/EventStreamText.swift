// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseFixtures
internal import RepriseRedaction
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// Writes events as server-sent events (HTML standard, section 9.2), with JSON on one line as data. Times are in
/// milliseconds since 1970. Pure.
///
/// Secrets in URLs are redacted, because a page that shows events can outlive the run, for example in screenshots.
struct EventStreamText {
    /// The method and URL of requests that are not completed, which the events about their answers repeat.
    private var requests: [ServerEvent.RequestID: Request] = [:]
    private let redaction: Redaction

    init(_ redaction: Redaction) {
        self.redaction = redaction
    }

    private struct Request {
        var method: String
        var url: String
        var session: SessionID?
    }

    /// The first event of the stream. No event after it is missed.
    static let start = Array("event: start\ndata: {}\n\n".utf8)
    /// A comment, which shows that the connection still works.
    static let keepAlive = Array(":\n\n".utf8)

    /// Returns the events with their text, and those that were lost after them.
    mutating func entries(_ batch: EventQueue.Batch) -> [EventHistory.Entry] {
        var entries: [EventHistory.Entry] = []
        for event in batch.events { entries.append(entry(event)) }
        if batch.lost > 0 {
            // The lost events may include the ends of requests.
            requests = [:]
            let last = batch.events.last?.number ?? 0
            entries.append(Self.lost((last + 1)...(last + batch.lost)))
        }
        return entries
    }

    static func lost(_ numbers: ClosedRange<Int>) -> EventHistory.Entry {
        var data = JSONTextBuilder()
        data.beginObject(onOneLine: true)
        data.member("events", numbers.count)
        data.end()
        let text = text("lost", number: numbers.upperBound, data.text)
        return EventHistory.Entry(numbers: numbers, name: nil, audience: .all, text: text)
    }

    private mutating func entry(_ event: ServerEvent) -> EventHistory.Entry {
        let audience = audience(of: event.kind)
        var data = JSONTextBuilder()
        data.beginObject(onOneLine: true)
        data.member("time", Int((event.time.timeIntervalSince1970 * 1000).rounded(.down)))
        let name = addMembers(of: event.kind, to: &data)
        data.end()
        return EventHistory.Entry(
            numbers: event.number...event.number,
            name: name,
            audience: audience,
            text: Self.text(name, number: event.number, data.text)
        )
    }

    private func audience(of kind: ServerEvent.Kind) -> EventHistory.Audience {
        switch kind {
        case .request(_, _, let session): .session(session)
        case .answer(let id, _), .completed(let id, _), .cutOff(let id):
            requests[id].map { .session($0.session) } ?? .unscoped
        case .changed(let change): EventHistory.Audience(change)
        }
    }

    private static func text(_ name: String, number: Int, _ data: [UInt8]) -> [UInt8] {
        Array("id: \(number)\nevent: \(name)\ndata: ".utf8) + data + [0x0A, 0x0A]
    }

    private mutating func addMembers(of kind: ServerEvent.Kind, to data: inout JSONTextBuilder) -> String {
        switch kind {
        case .request(let id, let line, let session):
            requests[id] = request(line, session)
            addRequest(id, to: &data)
            return "request"
        case .answer(let id, let answer):
            addRequest(id, to: &data)
            data.member("status", answer.status)
            if let fixture = answer.fixture { data.member("fixture", "\(fixture)") }
            if answer.ordinal > 0 { data.member("ordinal", answer.ordinal) }
            if let server = answer.server { data.member("by", server) }
            return answer.isMiss ? "miss" : "answer"
        case .completed(let id, let duration):
            addRequest(id, to: &data)
            requests[id] = nil
            let microseconds = duration.wholeNanoseconds / 1000
            data.key("milliseconds")
            data.raw(Array("\(Double(microseconds) / 1000)".utf8))
            return "completed"
        case .cutOff(let id):
            addRequest(id, to: &data)
            requests[id] = nil
            return "cut-off"
        case .changed(let change):
            return addMembers(of: change, to: &data)
        }
    }

    private func addRequest(_ id: ServerEvent.RequestID, to data: inout JSONTextBuilder) {
        data.member("request", id.text)
        guard let request = requests[id] else { return }
        data.member("method", request.method)
        data.member("url", request.url)
        if let session = request.session { data.member("session", session.text) }
    }

    private func addMembers(of change: ServerChange, to data: inout JSONTextBuilder) -> String {
        switch change {
        case .reloaded(let fixtures):
            data.member("fixtures", fixtures)
            return "reload"
        case .reloadFailed(let problems):
            data.key("problems")
            data.beginArray()
            for problem in problems.problems {
                data.element()
                data.beginObject()
                data.member("file", problem.file)
                if let location = problem.location {
                    data.member("line", location.line)
                    data.member("column", location.column)
                }
                data.member("message", problem.message)
                data.end()
            }
            data.end()
            return "reload-failed"
        case .reset(let session):
            if let session { data.member("session", session.text) }
            return "reset"
        case .stubs(let event):
            data.member("change", event.change.rawValue)
            data.member("stubs", event.count)
            data.key("ids")
            data.beginArray()
            for id in event.ids {
                data.element()
                data.string(id)
            }
            data.end()
            if let session = event.session { data.member("session", session.text) }
            return "stub"
        case .recordingStarted(let path):
            data.member("path", path)
            return "recording-started"
        case .recordingFinished(let path):
            data.member("path", path)
            return "recording-finished"
        }
    }

    /// Returns the method and the URL in a request's first line, without secrets.
    private func request(_ line: [UInt8], _ session: SessionID?) -> Request {
        let words = String(decoding: RequestLineText.withoutSecrets(line, redaction), as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        return Request(method: String(words[0]), url: words.count > 1 ? String(words[1]) : "", session: session)
    }
}

extension ServerEvent.RequestID {
    fileprivate var text: String { "\(loop)-\(number)" }
}

extension JSONTextBuilder {
    fileprivate mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    fileprivate mutating func member(_ name: String, _ value: Int) {
        key(name)
        raw(Array("\(value)".utf8))
    }
}
