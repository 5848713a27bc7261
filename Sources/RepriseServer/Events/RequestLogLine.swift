// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction
internal import RepriseText

struct RequestLogLine: Sendable {
    /// The status; 0 if there was no response.
    let status: Int
    /// The method and the target, without secrets.
    let requestLine: String
    let answeredBy: String

    init(status: Int, requestLine: String, answeredBy: String) {
        self.status = status
        self.requestLine = requestLine
        self.answeredBy = answeredBy
    }

    init(method: String, url: String, of stub: FixtureSource, status: Int?, _ redaction: Redaction) {
        let text = Array("\(method) \(url) HTTP/1.1".utf8.prefix(RequestLineText.longestSearched))
        self.init(
            status: status ?? 0,
            requestLine: ShownRequestLine.text(of: text, redaction),
            answeredBy: "webhook of \(stub)"
        )
    }

    func text(after duration: Duration?, isColored: Bool) -> [UInt8] {
        var text: [UInt8] = []
        append(to: &text, after: duration, isColored: isColored)
        return text
    }

    /// - Parameter duration: The time until the response was complete; nil if it was cut off.
    func append(to text: inout [UInt8], after duration: Duration?, isColored: Bool) {
        if isColored {
            text += "\u{1B}[".utf8
            text.append(decimal: color)
            text += "m".utf8
        }
        if status == 0 { text += "---".utf8 } else { text.append(decimal: UInt64(clamping: status)) }
        if isColored { text += "\u{1B}[0m".utf8 }
        text += " ".utf8
        text += requestLine.utf8
        text += "  ".utf8
        text += answeredBy.utf8
        text += "  ".utf8
        if let duration {
            let tenths = duration.wholeNanoseconds / 100_000
            text.append(decimal: tenths / 10)
            text += ".".utf8
            text.append(decimal: tenths % 10)
            text += " ms\n".utf8
        } else {
            text += "cut off\n".utf8
        }
    }

    private var color: UInt64 {
        switch status {
        case 200..<400: 32
        case 400..<500: 33
        default: 31
        }
    }
}
