// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseRedaction
internal import RepriseText

/// Writes a line to standard error for each request of a loop.
///
/// If standard error is not read, lines are lost, but requests are never delayed.
final class RequestLog {
    /// Whether the status is colored green, yellow, or red by its class.
    private let isColored: Bool
    /// The writer that all loops share.
    private let writer: BackgroundWriter
    /// The requests whose answers are being written.
    private var lines: [Int: Line] = [:]

    private struct Line {
        var status: Int
        var requestLine: String
        var answeredBy: String
    }

    /// The number of bytes that are checked for secrets. It exceeds what is shown, because a truncated secret would
    /// go unrecognized.
    private static let longestLine = 8 << 10

    init(_ style: MockServer.RequestLogStyle, writer: BackgroundWriter) {
        isColored = style == .colored
        self.writer = writer
    }

    private func end(_ request: Int, after duration: Duration?) {
        guard let line = lines.removeValue(forKey: request) else { return }
        writer.write(Array(text(line, duration: duration).utf8))
    }

    private static func requestLine(_ head: Span<UInt8>) -> String {
        var text: [UInt8] = []
        for index in head.indices {
            let byte = head[index]
            if byte == 0x0D || byte == 0x0A || text.count == longestLine { break }
            text.append(byte)
        }
        // A log outlives the run, for example in a file or on a CI server.
        let line = DisplayText.escaped(Redaction.standard.redacted(requestLine: text)[...], limit: 200)
        return line.hasSuffix(" HTTP/1.1") ? String(line.dropLast(9)) : line
    }

    private static func answeredBy(_ answer: AnswerEvent) -> String {
        if let server = answer.server { return server }
        guard let fixture = answer.fixture else { return answer.isMiss ? "no fixture" : "mockserver" }
        return answer.ordinal > 1 ? "\(fixture) #\(answer.ordinal)" : "\(fixture)"
    }

    /// The line's text with its line ending. `duration` is nil if the response was cut off.
    private func text(_ line: Line, duration: Duration?) -> String {
        let status = line.status == 0 ? "---" : String(line.status)
        let time = duration.map { "\(Self.milliseconds($0)) ms" } ?? "cut off"
        return "\(colored(status, for: line.status)) \(line.requestLine)  \(line.answeredBy)  \(time)\n"
    }

    private func colored(_ text: String, for status: Int) -> String {
        guard isColored else { return text }
        let color =
            switch status {
            case 200..<400: 32
            case 400..<500: 33
            default: 31
            }
        return "\u{1B}[\(color)m\(text)\u{1B}[0m"
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = duration.wholeNanoseconds / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension RequestLog: EventSubscriber {
    func answered(_ request: Int, _ answer: AnswerEvent, head: Span<UInt8>, content: Span<UInt8>) {
        lines[request] = Line(
            status: answer.status,
            requestLine: Self.requestLine(head),
            answeredBy: Self.answeredBy(answer)
        )
    }

    func completed(_ request: Int, after duration: Duration) {
        end(request, after: duration)
    }

    func cutOff(_ request: Int) {
        end(request, after: nil)
    }
}
