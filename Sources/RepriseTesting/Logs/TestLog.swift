// SPDX-License-Identifier: Apache-2.0

/// What is to be read when a test has failed.
struct TestLog: Sendable {
    /// What it is about, such as a cassette's name.
    let name: String
    /// Written only if somebody is to read it.
    let text: @Sendable () -> String

    /// The name as one of a file.
    var fileName: String {
        let name = name.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? String($0) : "." }.joined()
        return "\(name.drop { $0 == "." }).log"
    }
}

extension TestLog {
    /// What passed between a test and its cassette.
    init(_ cassette: TestCassette, name: String) {
        self.init(name: name) {
            var parts = ["Cassette \(cassette.path), mode \(cassette.mode)"]
            let lines = cassette.log.lines
            parts.append(lines.isEmpty ? "Nothing was asked for." : (["Asked for:"] + lines).joined(separator: "\n  "))
            if let report = cassette.report { parts.append("\(report)") }
            parts += cassette.log.notes
            return parts.joined(separator: "\n\n") + "\n"
        }
    }
}
