// SPDX-License-Identifier: Apache-2.0

internal import RepriseRecording
internal import RepriseText

/// Which test it is: what its cassette is called, and how it is run alone.
struct TestIdentity: Sendable {
    /// The name of its cassette, if nobody names it.
    let name: String
    /// The path of its source file.
    let sourceFile: String
    /// What `swift test --filter` takes: a regular expression.
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
        let path = components.map(Self.withoutLabels).joined(separator: "/")
        filter = Self.filter("\(Self.escaped(module))\\.\(Self.escaped(path))")
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
        let module = String(parts.first ?? "")
        name = CassetteName.automatic(module: module, [String(file), function])
        self.sourceFile = sourceFile
        filter = Self.filter("\(Self.escaped(module))\\.(.*/)?\(Self.escaped(Self.withoutLabels(function)))")
    }

    /// A regular expression for `Module.Suite/function()` of Swift Testing, which goes on with a place, and for
    /// `Module.Class/method` of XCTest; not for tests whose names only begin or end as this one's.
    private static func filter(_ name: String) -> String { "^\(name)(\\(|$)" }

    /// `loads` of `loads(page:)`; the name of a raw identifier may have parentheses too.
    private static func withoutLabels(_ name: String) -> String {
        guard name.hasSuffix(")"), let labels = name.lastIndex(of: "(") else { return name }
        return String(name[..<labels])
    }

    private static func escaped(_ text: String) -> String {
        text.map { "\\^$.|?*+()[]{}".contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    /// The command line that runs this test alone, and records its cassette.
    func command(recording mode: RecordingMode) -> String {
        "\(ReplayMode.variable)=\(mode.rawValue) swift test --filter \(DisplayText.shellWord(filter))"
    }
}
