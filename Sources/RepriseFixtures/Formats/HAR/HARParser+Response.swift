// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseText

extension HARParser {
    /// Returns the response of `entry`, adapted to HTTP/1.1.
    mutating func response(to method: String, in entry: HAREntry) throws(HAROmission) -> RecordedResponse {
        let (part, status) = try finalResponse(entry)
        var response = RecordedResponse(status: status, reason: reason(part))
        response.httpVersion = version(part)
        response.headers = headerLines(part.headers, at: part.place)
        response.headers.removeAll { line in
            ["Transfer-Encoding", "Connection", "Keep-Alive"].contains { line.hasName($0) }
        }
        addLocation(of: part, to: &response)
        response.delay = entry.wait.flatMap(Duration.init(milliseconds:))
        guard ResponsePlan.Framing.allowsContent(method: method, status: status) else {
            if let failure = failure(entry) { throw failure }
            response.headers.removeAll { $0.hasName("Content-Encoding") }
            if part.body.text?.isEmpty == false { noteUnplayedBody(status, method, at: part.place) }
            if status == 204 { response.headers.removeAll { $0.hasName("Content-Length") } }
            return response
        }
        let type = contentType(response.headers, part.body)
        let content = self.content(part.body, type: type, size: part.body.size ?? part.bodySize ?? 0)
        let body = try bytes(content, of: part, type, &response)
        if let steps = stream(body, type, entry) {
            if let failure = failure(entry) {
                note(at: entry.place, "plays what arrived of a stream: \(failure.reason)")
            }
            addContentType(type, to: &response.headers)
            response.headers.removeAll { $0.hasName("Content-Length") }
            response.headers.append(HeaderLine(name: "Transfer-Encoding", value: "chunked"))
            response.content = .stream(steps)
            return response
        }
        if let failure = failure(entry) { throw failure }
        try checkSize(body, content, of: part, type, response, to: method)
        if !body.isEmpty { addContentType(type, to: &response.headers) }
        setContentLength(body.count, in: &response.headers)
        response.content = body.isEmpty ? .none : .body(RecordedBody(.bytes(body)))
        return response
    }

    private func finalResponse(_ entry: HAREntry) throws(HAROmission) -> (HAREntry.Part, status: Int) {
        guard let part = entry.response, let status = part.status, status > 0 else {
            throw failure(entry)
                ?? HAROmission("the HAR file has no response for it; it was blocked, canceled, or not finished")
        }
        if status == 101 { throw HAROmission("it is a WebSocket or another upgrade") }
        guard 200...999 ~= status else { throw HAROmission("\(status) is not a final status") }
        return (part, status)
    }

    /// Why an entry failed, although it may have a status and a part of its body.
    private func failure(_ entry: HAREntry) -> HAROmission? {
        guard let range = entry.response?.failure ?? entry.failure else { return nil }
        return HAROmission("it failed (\(clipped(text(range))))")
    }

    /// Adds the target of a redirect if only `redirectURL` gives it.
    private func addLocation(of part: HAREntry.Part, to response: inout RecordedResponse) {
        guard 300..<400 ~= response.status, response.headers.firstValue(named: "Location") == nil,
            let target = part.redirectURL.map(reader.repairedUTF8), !target.isEmpty, target.allSatisfy({ $0 > 0x20 }),
            let line = HeaderLine(bytes: Array("Location: ".utf8) + target)
        else { return }
        response.headers.append(line)
    }

    // MARK: The body

    /// Returns the bytes of a body, and makes the header lines agree with them: the charset, and whether they are coded.
    private mutating func bytes(
        _ content: HARContent,
        of part: HAREntry.Part,
        _ type: [UInt8],
        _ response: inout RecordedResponse
    ) throws(HAROmission) -> [UInt8] {
        var body: [UInt8] = []
        var isRecoded = false
        switch content {
        case .missing: break
        case .bytes(let bytes, let recoded): (body, isRecoded) = (bytes, recoded)
        case .unusable(let reason): throw HAROmission(reason)
        }
        response.headers.removeAll { $0.hasName("Content-Encoding") && !Self.isCoded(body, $0, type) }
        guard isRecoded else { return body }
        let parts = type.split(separator: UInt8(ascii: ";")).filter { part in
            !part.drop { $0 <= 0x20 }.prefix(7).map(\.asciiLowercased).elementsEqual("charset".utf8)
        }
        let changed = Array(parts.joined(separator: [UInt8(ascii: ";")])) + Array("; charset=utf-8".utf8)
        response.headers.removeAll { $0.hasName("Content-Type") }
        addContentType(changed, to: &response.headers)
        note(
            at: part.place,
            "played in UTF-8, because the text cannot be converted back to its charset; the Content-Type line says so"
        )
        return body
    }

    /// Whether `body` is still coded as the Content-Encoding line says: some tools don't decode it.
    private static func isCoded(_ body: [UInt8], _ line: HeaderLine, _ type: [UInt8]) -> Bool {
        switch String(decoding: line.valueBytes, as: UTF8.self).lowercased() {
        case "gzip", "x-gzip": return body.starts(with: [0x1F, 0x8B])
        case "zstd": return body.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
        // Only these have control characters in place of text.
        case "br", "deflate": return !HARCharacters.isBinary(type) && body.prefix(1 << 16).contains { $0 < 0x09 }
        default: return false
        }
    }

    /// Checks that the body is there, and that it is whole.
    private mutating func checkSize(
        _ body: [UInt8],
        _ content: HARContent,
        of part: HAREntry.Part,
        _ type: [UInt8],
        _ response: RecordedResponse,
        to method: String
    ) throws(HAROmission) {
        let size = part.body.size ?? 0
        guard body.isEmpty else {
            // Some tools remove the byte order mark.
            guard size > body.count + 3, part.body.file == nil else { return }
            let found = "the HAR file contains \(body.count) of the \(size) bytes of its body"
            if MediaType(type).isJSON, JSONReader.validity(of: body) == .cut { throw HAROmission(found) }
            return note(at: part.place, found)
        }
        let isCoded = part.headers.contains { text($0.name).lowercased() == "content-encoding" }
        let announced = isCoded ? nil : response.headers.firstValue(named: "Content-Length").flatMap { Int($0) }
        let isMissing = content == .missing
        let expected = max(size, announced ?? 0, isMissing ? part.bodySize ?? 0 : 0)
        guard expected > 0 || isMissing && size < 0 else { return }
        let missing = "the HAR file does not contain \(expected > 0 ? "the body of \(expected) bytes" : "its body")"
        // Clients don't look at these bodies, and browsers don't keep them.
        guard 300..<400 ~= response.status || method == "OPTIONS" else { throw HAROmission(missing) }
        if expected > 0 { note(at: part.place, "\(missing); an empty body is replayed") }
    }

    private mutating func noteUnplayedBody(_ status: Int, _ method: String, at place: TextPlace) {
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
            return Duration(milliseconds: (time - last) * 1000) ?? .zero
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
