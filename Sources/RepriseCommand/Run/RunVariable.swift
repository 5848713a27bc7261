// SPDX-License-Identifier: Apache-2.0

import RepriseText

/// An environment variable with the address of the server, as the option `--env` gives it.
struct RunVariable: Equatable {
    let name: String
    /// The value, with `{url}`, `{host}`, and `{port}` in it.
    private let pattern: String

    /// The variable that every command gets.
    static let standard = RunVariable(name: "MOCKSERVER_URL", pattern: "{url}")

    /// The variable that tells Node.js which variable has the name of a test runner's worker.
    static func worker(_ name: String) -> RunVariable { RunVariable(name: NodePreload.workerVariable, pattern: name) }

    private init(name: String, pattern: String) {
        self.name = name
        self.pattern = pattern
    }

    /// Parses `NAME`, `NAME=/path`, or `NAME=value` with a placeholder; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        name = parts[0]
        let isName = name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "_") }
        guard isName, let first = name.utf8.first, first &- 0x30 >= 10 else { return nil }
        guard parts.count == 2 else {
            pattern = "{url}"
            return
        }
        pattern = parts[1].hasPrefix("/") ? "{url}" + parts[1] : parts[1]
        guard ["{url}", "{host}", "{port}"].contains(where: pattern.contains) else { return nil }
    }

    /// - Parameter url: The URL of the server, such as `http://127.0.0.1:49152`.
    func value(_ url: String, host: String, port: Int) -> String {
        pattern.replacing("{url}", with: url).replacing("{host}", with: host).replacing("{port}", with: "\(port)")
    }
}

extension OptionKind<RunVariable> {
    static var runVariable: Self {
        Self("a name such as API_URL, NAME=/path, or NAME=value with {url}, {host}, or {port}") { RunVariable($0) }
    }
}
