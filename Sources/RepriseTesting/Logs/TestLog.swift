// SPDX-License-Identifier: Apache-2.0

/// A log that helps to understand a failed test.
struct TestLog: Sendable {
    /// The subject of the log, such as the name of a cassette.
    let name: String
    /// Returns the text. Called only if the log is shown.
    let text: @Sendable () -> String

    var fileName: String {
        let name = name.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? String($0) : "." }.joined()
        return "\(name.drop { $0 == "." }).log"
    }
}

extension TestLog {
    init(_ cassette: TestCassette, name: String) {
        self.init(name: name) {
            var parts = ["Cassette \(cassette.path), mode \(cassette.mode)"]
            let lines = cassette.log.lines
            parts.append(lines.isEmpty ? "No requests." : (["Requests:"] + lines).joined(separator: "\n  "))
            if let report = cassette.report { parts.append("\(report)") }
            parts += cassette.log.notes
            return parts.joined(separator: "\n\n") + "\n"
        }
    }
}
