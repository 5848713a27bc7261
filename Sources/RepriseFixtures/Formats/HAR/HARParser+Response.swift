// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseCassettes
internal import RepriseText

extension HARParser {
    /// Returns the response in `part`, adapted to HTTP/1.1. Returns `nil` and reports a mistake if its body is
    /// malformed.
    mutating func response(
        _ part: HAREntry.Part,
        status: Int,
        to request: RecordedRequest,
        in entry: HAREntry
    ) -> RecordedResponse? {
        let problemsBefore = problems.count
        var response = RecordedResponse(status: status, reason: reason(part))
        response.httpVersion = version(part)
        response.headers = headerLines(part.headers, at: part.place)
        response.headers.removeAll { line in
            ["Content-Encoding", "Transfer-Encoding", "Connection", "Keep-Alive"].contains { line.hasName($0) }
        }
        response.delay = entry.wait.flatMap(Self.duration)
        let hasContent = ResponsePlan.Framing.allowsContent(method: request.method, status: status)
        let size = part.body.size ?? part.bodySize ?? 0
        let type = contentType(response.headers, part.body)
        let body = bytes(part.body, type: type, size: size) ?? []
        guard hasContent else {
            if !body.isEmpty { noteUnplayedBody(status, request.method, at: part.place) }
            if status == 204 { response.headers.removeAll { $0.hasName("Content-Length") } }
            return problems.count == problemsBefore ? response : nil
        }
        if let steps = stream(body, type, entry) {
            addContentType(type, to: &response.headers)
            response.headers.removeAll { $0.hasName("Content-Length") }
            response.headers.append(HeaderLine(name: "Transfer-Encoding", value: "chunked"))
            response.content = .stream(steps)
        } else {
            if body.isEmpty, size > 0 {
                note(
                    at: part.place,
                    "the HAR file does not contain the body of \(size) bytes; an empty body is replayed"
                )
            }
            if !body.isEmpty { addContentType(type, to: &response.headers) }
            setContentLength(body.count, in: &response.headers)
            response.content = body.isEmpty ? .none : .body(RecordedBody(.bytes(body)))
        }
        return problems.count == problemsBefore ? response : nil
    }

    private mutating func noteUnplayedBody(_ status: Int, _ method: String, at place: JSONPlace) {
        let subject = method == "HEAD" ? "a response to HEAD" : "a \(status)"
        note(at: place, "\(subject) has no body; the body in the HAR file came from a cache and is not replayed")
    }

    /// The reason phrase without characters that are invalid in a status line.
    private func reason(_ part: HAREntry.Part) -> String {
        let text = text(part.statusText)
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
        return String(decoding: text.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
    }

    /// The version without `HTTP/`, or `nil` for HTTP/1.1.
    private func version(_ part: HAREntry.Part) -> String? {
        switch text(part.httpVersion).lowercased() {
        case "http/1.0": "1.0"
        case "http/2.0", "http/2", "h2", "h2c": "2"
        case "http/3.0", "http/3", "h3", "h3-29", "h3-q050", "quic": "3"
        default: nil
        }
    }

    private static func duration(_ milliseconds: Double) -> Duration? {
        guard milliseconds >= 0, milliseconds <= 31 * 24 * 60 * 60 * 1000 else { return nil }
        return .microseconds(Int64((milliseconds * 1000).rounded()))
    }

    /// Leaves a single Content-Length line with the value `count`, in place of the first such line or at the end.
    private func setContentLength(_ count: Int, in headers: inout [HeaderLine]) {
        let first = headers.firstIndex { $0.hasName("Content-Length") }
        let line = first.flatMap { headers[$0].replacingValue(with: String(count)) }
        var index = 0
        headers.removeAll { line in
            defer { index += 1 }
            return index != first && line.hasName("Content-Length")
        }
        if let first, let line {
            headers[first] = line
        } else {
            headers.append(HeaderLine(name: "Content-Length", value: String(count)))
        }
    }

    // MARK: Server-sent events

    /// Returns the steps of a stream of server-sent events, one step per event, or `nil` if the response is not such
    /// a stream or is empty.
    private func stream(_ body: [UInt8], _ type: [UInt8], _ entry: HAREntry) -> [StreamStep]? {
        guard MediaType(type).isEventStream else { return nil }
        let times = entry.messages.map(\.time)
        var steps: [StreamStep]
        if body.isEmpty {
            steps = zip(entry.messages, pauses(times)).map { StreamStep(after: $1, .bytes(event($0))) }
        } else {
            let events = HAREvents(body)
            let pauses = events.isPlausible(count: times.count) ? pauses(times) : []
            steps = events.ranges.enumerated().map { index, range in
                StreamStep(after: index < pauses.count ? pauses[index] : .zero, .bytes(Array(body[range])))
            }
        }
        guard !steps.isEmpty else { return nil }
        steps.append(StreamStep(.end(.complete)))
        return steps
    }

    /// Returns the pauses between messages. The first pause is zero, because the time of the head is unknown.
    private func pauses(_ times: [Double?]) -> [Duration] {
        var last: Double?
        return times.map { time in
            defer { last = time ?? last }
            guard let time, let last else { return .zero }
            return Self.duration((time - last) * 1000) ?? .zero
        }
    }

    /// Returns `message` as it is sent (WHATWG HTML section 9.2.6).
    private func event(_ message: HAREntry.Message) -> [UInt8] {
        var event: [UInt8] = []
        func add(_ field: String, _ value: some Sequence<UInt8>) {
            event.append(contentsOf: field.utf8)
            event.append(contentsOf: value)
            event.append(0x0A)
        }
        let name = text(message.eventName)
        if !name.isEmpty, name != "message" { add("event: ", oneLine(name)) }
        let id = text(message.eventId)
        if !id.isEmpty { add("id: ", oneLine(id)) }
        // The data was read line by line, so only line feeds separate its lines.
        let data = text(message.data).utf8
        for line in data.split(separator: 0x0A, omittingEmptySubsequences: false) {
            add("data: ", line.filter { $0 != 0x0D })
        }
        event.append(0x0A)
        return event
    }

    private func oneLine(_ text: String) -> [UInt8] {
        text.utf8.filter { $0 != 0x0A && $0 != 0x0D }
    }
}
