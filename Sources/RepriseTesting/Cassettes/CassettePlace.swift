// SPDX-License-Identifier: Apache-2.0

internal import RepriseReplay

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where a test's cassettes are.
enum CassettePlace {
    /// The variable that names the folder of cassettes.
    static let variable = "REPRISE_FIXTURES"

    /// The folder: the one that the test names, or else the variable's, or else `Fixtures/` beside the source file.
    static func folder(_ named: URL?, besides sourceFile: String, in environment: [String: String]) -> String {
        if let named { return named.path }
        if let folder = environment[variable], !folder.isEmpty { return folder }
        return URL(fileURLWithPath: sourceFile).deletingLastPathComponent().appendingPathComponent("Fixtures").path
    }

    /// The path of a cassette, a capture, or, in the mode `stub`, of whatever is there.
    static func path(of name: String, in folder: String, mode: ReplayMode) -> String {
        let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
        if [".cassette.json", ".har"].contains(where: path.hasSuffix) { return path }
        if mode == .stub, FileManager.default.fileExists(atPath: path) { return path }
        return "\(path).cassette.json"
    }
}
