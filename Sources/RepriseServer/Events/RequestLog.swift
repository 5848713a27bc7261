// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseRedaction
internal import RepriseText

/// Writes a line to standard error for each request of a loop.
///
/// If nothing reads standard error, lines are lost, but requests are never delayed. The lines of one turn of the loop
/// are passed to the writer together, because waking its thread costs more than a line.
final class RequestLog {
    /// Whether the status is colored green, yellow, or red by its class.
    private let isColored: Bool
    private let writer: BackgroundWriter
    private let loop: EventLoop
    /// The lines that the writer has not received yet.
    private var waiting: [UInt8] = []
    /// The requests whose answers are being written.
    private var lines: [Int: RequestLogLine] = [:]
    private var shownLine: ShownRequestLine

    /// The number of waiting bytes that are passed to the writer without waiting for the end of the loop's turn.
    private static let limit = 32 << 10

    init(_ style: MockServer.RequestLogStyle, _ redaction: Redaction, writer: BackgroundWriter, loop: EventLoop) {
        shownLine = ShownRequestLine(redaction)
        self.loop = loop
        isColored = style == .colored
        self.writer = writer
    }

    private func end(_ request: Int, after duration: Duration?) {
        guard let line = lines.removeValue(forKey: request) else { return }
        if waiting.isEmpty { loop.atEndOfTurn(self) }
        line.append(to: &waiting, after: duration, isColored: isColored)
        if waiting.count > Self.limit { flush() }
    }

    private func flush() {
        writer.write(waiting)
        waiting.removeAll(keepingCapacity: true)
    }

    private static func answeredBy(_ answer: AnswerEvent) -> String {
        if let server = answer.server { return server }
        guard let fixture = answer.fixture else { return answer.isMiss ? "no fixture" : "mockserver" }
        return answer.ordinal > 1 ? "\(fixture) #\(answer.ordinal)" : "\(fixture)"
    }
}

extension RequestLog: LoopWork {
    /// Writes the lines of this turn of the loop.
    func run() { flush() }
}

extension RequestLog: EventSubscriber {
    func answered(_ request: Int, _ answer: AnswerEvent, head: Span<UInt8>, content: Span<UInt8>) {
        lines[request] = RequestLogLine(
            status: answer.status,
            requestLine: shownLine.text(ofHead: head),
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
