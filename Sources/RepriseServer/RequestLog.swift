// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO

/// The line a request leaves on standard error. A reader that does not read costs lines, never a request's time.
struct RequestLog: Sendable {
    /// What is known when the request is answered; the time it took comes at the end.
    struct Line {
        var status: Int
        var requestLine: String
        var answeredBy: String
    }

    /// Whether the status is coloured: green, yellow or red by its class.
    var isColoured: Bool
    /// What the loops give their lines to.
    let writer: BackgroundWriter

    /// The line's text, with its line end. `duration` is `nil` where the response was cut off.
    func text(_ line: Line, duration: Duration?) -> String {
        let status = line.status == 0 ? "---" : String(line.status)
        let time = duration.map { "\(Self.milliseconds($0)) ms" } ?? "cut off"
        return "\(coloured(status, for: line.status)) \(line.requestLine)  \(line.answeredBy)  \(time)\n"
    }

    private func coloured(_ text: String, for status: Int) -> String {
        guard isColoured else { return text }
        let colour =
            switch status {
            case 200..<400: 32
            case 400..<500: 33
            default: 31
            }
        return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = duration.wholeNanoseconds / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
