// SPDX-License-Identifier: Apache-2.0

internal import RepriseQueries
internal import RepriseRecording
internal import RepriseText

/// The identity of a test: the name of its cassette, and the way to run the test alone.
struct TestIdentity: Sendable {
    let name: String
    let sourceFile: String
    /// Whether other tests may run at the same time.
    var runsInParallel = false
    /// The regular expression for `swift test --filter`.
    private let filter: String

    init(module: String, _ components: [String], sourceFile: String) {
        name = CassetteName.automatic(module: module, components)
        self.sourceFile = sourceFile
        let path = components.map(Self.withoutLabels).joined(separator: "/")
        filter = Self.filter("\(JavaPatternText.literal(module))\\.\(JavaPatternText.literal(path))")
    }

    /// Identifies a test for which only the function and its file are known.
    init(fileID: String, sourceFile: String, function: String) {
        let parts = fileID.split(separator: "/")
        let file = parts.last?.prefix { $0 != "." } ?? ""
        let module = String(parts.first ?? "")
        name = CassetteName.automatic(module: module, [String(file), function])
        self.sourceFile = sourceFile
        let test = JavaPatternText.literal(Self.withoutLabels(function))
        filter = Self.filter("\(JavaPatternText.literal(module))\\.(.*/)?\(test)")
    }

    /// Returns a regular expression that matches `Module.Suite/function()` of Swift Testing, which is followed by a
    /// location, and `Module.Class/method` of XCTest. It does not match tests whose names only begin or end the same
    /// way.
    private static func filter(_ name: String) -> String { "^\(name)(\\(|$)" }

    /// Returns `loads` for `loads(page:)`. The name of a raw identifier may also contain parentheses.
    private static func withoutLabels(_ name: String) -> String {
        guard name.hasSuffix(")"), let labels = name.lastIndex(of: "(") else { return name }
        return String(name[..<labels])
    }

    /// Returns the command that runs this test alone and records its cassette.
    func command(recording mode: RecordingMode) -> String {
        "\(ReplayMode.variable)=\(mode.rawValue) swift test --filter \(DisplayText.shellWord(filter))"
    }
}
