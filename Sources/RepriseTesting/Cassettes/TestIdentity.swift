// SPDX-License-Identifier: Apache-2.0

/// Which test it is: what its cassette is called, and how it is run alone.
struct TestIdentity: Sendable {
    /// The name of its cassette, if nobody names it.
    let name: String
    /// The path of its source file.
    let sourceFile: String
    /// What `swift test --filter` takes.
    private let filter: String

    /// A test in suites, or in a class.
    ///
    /// - Parameters:
    ///   - module: the module's name.
    ///   - components: the suites' names, the outermost first, and the function's.
    ///   - sourceFile: the path of the source file.
    init(module: String, _ components: [String], sourceFile: String) {
        name = CassetteName.automatic(module: module, components)
        self.sourceFile = sourceFile
        let path = components.map { $0.prefix { $0 != "(" } }.joined(separator: "/")
        filter = "\(module).\(path)"
    }

    /// Whatever runs in a function, of which only that is known.
    ///
    /// - Parameters:
    ///   - fileID: `Module/File.swift`.
    ///   - sourceFile: the path of the source file.
    ///   - function: `name(label:)`.
    init(fileID: String, sourceFile: String, function: String) {
        let parts = fileID.split(separator: "/")
        let file = parts.last?.prefix { $0 != "." } ?? ""
        name = CassetteName.automatic(module: String(parts.first ?? ""), [String(file), function])
        self.sourceFile = sourceFile
        filter = String(function.prefix { $0 != "(" })
    }

    /// The command line that runs this test alone, and records its cassette.
    func command(recording mode: RecordingMode) -> String {
        "\(ReplayMode.variable)=\(mode.rawValue) swift test --filter \(DisplayText.shellWord(filter))"
    }
}
