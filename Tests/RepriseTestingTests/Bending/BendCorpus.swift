// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
import RepriseTestSupport
import RepriseTesting

/// A recorded stream whose events are known, whatever its chunks are.
struct BendRecording {
    /// How the content is delimited on the wire.
    enum Framing: CaseIterable { case chunked, length }

    /// The kinds of streams whose events edits can refer to, and one without events.
    enum Kind: CaseIterable { case serverSent, ndjson, multipart, plain }

    let kind: Kind
    let framing: Framing
    /// The events, or the only part of content without events.
    let events: [String]
    /// The recorded chunks with the milliseconds before each.
    var chunks: [(wait: Int, text: String)] = []
    let ending: String

    /// Creates a stream that is the same for the same seed.
    init(_ kind: Kind, _ framing: Framing, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        (self.kind, self.framing) = (kind, framing)
        let texts = (0..<Int.random(in: 1...3, using: &random)).map { number in
            ["a", "tide", "lamp \(number)", "b\(number)"].randomElement(using: &random) ?? ""
        }
        let end = Bool.random(using: &random) ? "\n" : "\r\n"
        switch kind {
        case .serverSent:
            events = texts.enumerated().map { "\($0 == 0 ? ": c\(end)" : "")data: \($1)\(end)\(end)" }
        case .ndjson: events = texts.map { "{\"t\":\"\($0)\"}\n" }
        case .multipart:
            events = texts.enumerated().map { index, text in
                "--b\(end)\(end)\(text)\(end)" + (index == texts.count - 1 ? "--b--\(end)" : "")
            }
        case .plain: events = [texts.joined(separator: end)]
        }
        ending = ["complete", "complete", "reset", "truncated", "timeout"].randomElement(using: &random) ?? "complete"
        var rest = Array(events.joined().utf8)[...]
        while !rest.isEmpty {
            let size = Int.random(in: 1...12, using: &random)
            let wait = framing == .chunked ? Int.random(in: 0...3, using: &random) : 0
            chunks.append((wait, String(decoding: rest.prefix(size), as: UTF8.self)))
            rest = rest.dropFirst(size)
        }
    }

    /// The content.
    var content: String { events.joined() }
    /// The recorded milliseconds.
    var duration: Int { chunks.reduce(0) { $0 + $1.wait } }

    /// The lines, each with its ending.
    var lines: [String] {
        var lines: [String] = [""]
        for byte in content.unicodeScalars {
            lines[lines.count - 1].unicodeScalars.append(byte)
            if byte == "\n" { lines.append("") }
        }
        return lines.last == "" ? lines.dropLast() : lines
    }

    /// The exchange in a cassette, as the answer to `GET path`.
    func exchange(_ path: String) -> JSONTree {
        let type =
            switch kind {
            case .serverSent: "text/event-stream"
            case .ndjson: "application/x-ndjson"
            case .multipart: "multipart/x-mixed-replace; boundary=b"
            case .plain: "text/plain"
            }
        // Of a stream that breaks off, bytes are missing.
        let count = content.utf8.count + (ending == "complete" ? 0 : 5)
        let length = framing == .chunked ? "Transfer-Encoding: chunked" : "Content-Length: \(count)"
        let steps: [JSONTree] = chunks.map { chunk in
            ["after": .number(JSONNumber(chunk.wait)), "text": .string(chunk.text)]
        }
        return [
            "request": ["method": "GET", "url": .string("https://api.example.com\(path)")],
            "response": [
                "status": "200 OK",
                "headers": [.string("Content-Type: \(type)"), .string(length)],
                "stream": .array(steps + [["end": .string(ending)]]),
            ],
        ]
    }
}

/// An edit of a recording with what is expected of it, worked out from the events and not from the chunks.
struct BendCase {
    var bends: [Bend]
    /// The expected content; nil if it is not worked out.
    var content: String?
    /// The expected chunks, if each is sent as one; nil if they are not worked out.
    var chunks: [String]?
    /// The expected ending.
    var ending: String

    /// Every operation at every place of a recording.
    static func all(of recording: BendRecording) -> [BendCase] {
        var cases = unplaced(recording)
        for (place, offset) in places(recording) { cases += edits(at: place, offset, recording) }
        // Every byte has one of the edits in turn: the places between them are alike.
        for offset in 0...recording.content.utf8.count {
            let edits = edits(at: .afterByte(offset), offset, recording)
            cases += [edits[offset % edits.count], edits[3]]
        }
        for (place, range) in ranges(recording) { cases += replacements(of: place, range, recording) }
        return cases
    }

    private static func unplaced(_ recording: BendRecording) -> [BendCase] {
        let recorded = recording.chunks.map(\.text)
        func unchanged(_ bend: Bend) -> BendCase {
            BendCase(bends: [bend], content: recording.content, chunks: recorded, ending: recording.ending)
        }
        var cases = [
            Bend(.insert("")), Bend(.delay(.zero)), Bend(.status(200)), Bend(.afterTime(.zero), .insert("")),
            Bend(.header("X-A", "b")), Bend(.status(529)),
        ].map(unchanged)
        for size in [1, 7, 1000] {
            var rest = Array(recording.content.utf8)[...]
            var chunks: [String] = []
            while !rest.isEmpty {
                chunks.append(String(decoding: rest.prefix(size), as: UTF8.self))
                rest = rest.dropFirst(size)
            }
            var changed = unchanged(Bend(.rechunk(size)))
            changed.chunks = chunks
            cases.append(changed)
        }
        var random = unchanged(Bend(.rechunkRandomly(seed: 5)))
        random.chunks = nil
        return cases + [
            random, BendCase(bends: [Bend(.body("no"))], content: "no", chunks: ["no"], ending: "complete"),
        ]
    }

    /// The places with the number of bytes before each.
    private static func places(_ recording: BendRecording) -> [(Bend.Place, Int)] {
        var places: [(Bend.Place, Int)] = [(.start, 0)]
        func add(_ texts: [String], _ before: (Int) -> Bend.Place, _ after: (Int) -> Bend.Place) {
            var offset = 0
            for (index, text) in texts.enumerated() {
                places.append((before(index + 1), offset))
                offset += text.utf8.count
                places.append((after(index + 1), offset))
            }
        }
        if recording.kind != .plain { add(recording.events, { .event($0) }, { .afterEvent($0) }) }
        add(recording.lines, { .line($0) }, { .afterLine($0) })
        for time in 0...recording.duration {
            var (passed, offset) = (0, 0)
            for chunk in recording.chunks {
                passed += chunk.wait
                if passed <= time { offset += chunk.text.utf8.count }
            }
            places.append((.afterTime(.milliseconds(time)), offset))
        }
        return places
    }

    private static func edits(at place: Bend.Place, _ offset: Int, _ recording: BendRecording) -> [BendCase] {
        let (head, tail) = recording.chunks.map(\.text).cut(at: offset)
        let content = recording.content
        let before = String(decoding: Array(content.utf8.prefix(offset)), as: UTF8.self)
        let after = String(decoding: Array(content.utf8.dropFirst(offset)), as: UTF8.self)
        func ended(_ edit: Bend.Edit, _ ending: String) -> BendCase {
            BendCase(bends: [Bend(place, edit)], content: before, chunks: head, ending: ending)
        }
        return [
            BendCase(
                bends: [Bend(place, .insert("<new>"))],
                content: before + "<new>" + after,
                chunks: head + ["<new>"] + tail,
                ending: recording.ending
            ),
            BendCase(
                bends: [Bend(place, .delay(.seconds(60)))],
                content: content,
                chunks: head + tail,
                ending: recording.ending
            ),
            ended(.stall, "timeout"), ended(.reset, "reset"), ended(.truncate, "truncated"),
            BendCase(bends: [Bend(place, .slow(bytesPerSecond: 40))], content: content, ending: recording.ending),
        ]
    }

    /// The events and lines with their ranges.
    private static func ranges(_ recording: BendRecording) -> [(Bend.Place, Range<Int>)] {
        var ranges: [(Bend.Place, Range<Int>)] = []
        func add(_ texts: [String], _ place: (Int) -> Bend.Place) {
            var offset = 0
            for (index, text) in texts.enumerated() {
                ranges.append((place(index + 1), offset..<offset + text.utf8.count))
                offset += text.utf8.count
            }
        }
        if recording.kind != .plain { add(recording.events) { .event($0) } }
        add(recording.lines) { .line($0) }
        return ranges
    }

    private static func replacements(
        of place: Bend.Place,
        _ range: Range<Int>,
        _ recording: BendRecording
    ) -> [BendCase] {
        let bytes = Array(recording.content.utf8)
        func replaced(_ edit: Bend.Edit, _ new: [UInt8]) -> BendCase {
            let content = bytes[..<range.lowerBound] + new + bytes[range.upperBound...]
            return BendCase(
                bends: [Bend(place, edit)],
                content: String(decoding: content, as: UTF8.self),
                ending: recording.ending
            )
        }
        return [
            replaced(.replace("<other>"), Array("<other>".utf8)), replaced(.drop, []),
            replaced(.repeat(3), Array(bytes[range] + bytes[range] + bytes[range])),
        ]
    }
}

extension [String] {
    /// Returns the chunks before and after an offset.
    fileprivate func cut(at offset: Int) -> (head: [String], tail: [String]) {
        var (head, tail): ([String], [String]) = ([], [])
        var start = 0
        for chunk in self {
            let bytes = Array<UInt8>(chunk.utf8)
            let count = Swift.max(0, Swift.min(bytes.count, offset - start))
            if count > 0 { head.append(String(decoding: bytes.prefix(count), as: UTF8.self)) }
            if count < bytes.count { tail.append(String(decoding: bytes.dropFirst(count), as: UTF8.self)) }
            start += bytes.count
        }
        return (head, tail)
    }
}
