// SPDX-License-Identifier: Apache-2.0

@testable import Reprise

/// Reads a whole stream exactly as WHATWG HTML sections 9.2.5 and 9.2.6 specify, one character at a time.
///
/// It shares no code with the decoders: it decodes the text first, then the lines, then the fields.
enum NaiveStreamReader {
    static func lines(_ bytes: [UInt8]) -> [String] {
        let (lines, last) = split(Array(String(decoding: bytes, as: UTF8.self).unicodeScalars))
        return lines + (last.isEmpty ? [] : [last])
    }

    static func events(_ bytes: [UInt8]) -> StreamTranscript<ServerSentEvent> {
        var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        let (lines, last) = split(scalars)
        var stream = Stream()
        for line in lines { stream.consume(line) }
        var transcript = StreamTranscript.events([])
        transcript.elements = stream.events
        let isInside = stream.isInside || last.unicodeScalars.first.map { $0 != ":" } ?? false
        transcript.rest = [stream.lastEventID, String(describing: stream.reconnectionTime), "\(isInside)"]
        return transcript
    }

    /// The complete lines, and the text after the last one.
    private static func split(_ scalars: [Unicode.Scalar]) -> (lines: [String], last: String) {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            if scalars[index] == "\r" || scalars[index] == "\n" {
                if scalars[index] == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { index += 1 }
                lines.append(String(line))
                line = String.UnicodeScalarView()
            } else {
                line.append(scalars[index])
            }
            index += 1
        }
        return (lines, String(line))
    }

    private struct Stream {
        var events: [ServerSentEvent] = []
        var lastEventID = ""
        var reconnectionTime: Duration?
        var isInside = false

        private var dataBuffer = ""
        private var eventTypeBuffer = ""
        private var lastEventIDBuffer = ""
        private var retry: Duration?

        mutating func consume(_ line: String) {
            let scalars = Array(line.unicodeScalars)
            if scalars.isEmpty { return dispatch() }
            if scalars[0] == ":" { return }
            guard let colon = scalars.firstIndex(of: ":") else { return process(line, "") }
            var value = scalars[(colon + 1)...]
            if value.first == " " { value.removeFirst() }
            process(text(scalars[..<colon]), text(value))
        }

        private mutating func process(_ field: String, _ value: String) {
            let isNumber = !value.isEmpty && value.unicodeScalars.allSatisfy { ("0"..."9").contains($0) }
            switch field {
            case "event": eventTypeBuffer = value
            case "data": dataBuffer += value + "\n"
            case "id":
                if !value.unicodeScalars.contains("\0") { lastEventIDBuffer = value }
            case "retry" where isNumber:
                retry = .milliseconds(Int64(value) ?? .max)
                reconnectionTime = retry
            default: return
            }
            isInside = true
        }

        private mutating func dispatch() {
            if isInside { lastEventID = lastEventIDBuffer }
            isInside = false
            defer {
                dataBuffer = ""
                eventTypeBuffer = ""
                retry = nil
            }
            if dataBuffer.isEmpty { return }
            let type = eventTypeBuffer.isEmpty ? "message" : eventTypeBuffer
            let data = String(dataBuffer.unicodeScalars.dropLast())
            events.append(ServerSentEvent(name: type, data: data, id: lastEventID, retry: retry))
        }

        private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
            String(String.UnicodeScalarView(scalars))
        }
    }
}
