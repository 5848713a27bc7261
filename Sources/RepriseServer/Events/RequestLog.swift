// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
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
    private var lines: [Int: RequestLogLine] = [:]

    init(_ style: MockServer.RequestLogStyle, writer: BackgroundWriter) {
        isColored = style == .colored
        self.writer = writer
    }

    private func end(_ request: Int, after duration: Duration?) {
        guard let line = lines.removeValue(forKey: request) else { return }
        writer.write(line.text(after: duration, isColored: isColored))
    }

    private static func answeredBy(_ answer: AnswerEvent) -> String {
        if let server = answer.server { return server }
        guard let fixture = answer.fixture else { return answer.isMiss ? "no fixture" : "mockserver" }
        return answer.ordinal > 1 ? "\(fixture) #\(answer.ordinal)" : "\(fixture)"
    }
}

extension RequestLog: EventSubscriber {
    func answered(_ request: Int, _ answer: AnswerEvent, head: Span<UInt8>, content: Span<UInt8>) {
        lines[request] = RequestLogLine(status: answer.status, head: head, answeredBy: Self.answeredBy(answer))
    }

    func completed(_ request: Int, after duration: Duration) {
        end(request, after: duration)
    }

    func cutOff(_ request: Int) {
        end(request, after: nil)
    }
}
