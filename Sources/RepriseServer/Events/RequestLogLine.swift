// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction
internal import RepriseText

/// A line of the request log.
struct RequestLogLine: Sendable {
    /// The status; 0 if there was no response.
    let status: Int
    /// The method and the target, without secrets.
    let requestLine: String
    let answeredBy: String

    /// The number of bytes that are checked for secrets. It exceeds what is shown, because a truncated secret would
    /// go unrecognized.
    private static let longestLine = 8 << 10

    /// - Parameter head: The head of a request, of which the first line is shown.
    init(status: Int, head: Span<UInt8>, answeredBy: String) {
        var text: [UInt8] = []
        for index in head.indices {
            let byte = head[index]
            if byte == 0x0D || byte == 0x0A || text.count == Self.longestLine { break }
            text.append(byte)
        }
        self.init(status: status, text, answeredBy: answeredBy)
    }

    /// The line of a webhook.
    init(method: String, url: String, of stub: FixtureSource, status: Int?) {
        let text = Array("\(method) \(url) HTTP/1.1".utf8.prefix(Self.longestLine))
        self.init(status: status ?? 0, text, answeredBy: "webhook of \(stub)")
    }

    private init(status: Int, _ line: [UInt8], answeredBy: String) {
        self.status = status
        self.answeredBy = answeredBy
        // A log outlives the run, for example in a file or on a CI server.
        // Values that a recording of this process redacted are redacted here too.
        let redacted = SecretMemory.shared.redacted(Redaction.standard.redacted(requestLine: line))
        let line = DisplayText.escaped(redacted[...], limit: 200)
        requestLine = line.hasSuffix(" HTTP/1.1") ? String(line.dropLast(9)) : line
    }

    /// Returns the text with its line ending.
    ///
    /// - Parameter duration: The time until the response was complete; nil if it was cut off.
    func text(after duration: Duration?, isColored: Bool) -> [UInt8] {
        let shown = status == 0 ? "---" : String(status)
        let time = duration.map { "\(Self.milliseconds($0)) ms" } ?? "cut off"
        return Array("\(isColored ? colored(shown) : shown) \(requestLine)  \(answeredBy)  \(time)\n".utf8)
    }

    private func colored(_ text: String) -> String {
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
