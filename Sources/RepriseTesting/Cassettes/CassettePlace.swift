// SPDX-License-Identifier: Apache-2.0

internal import RepriseReplay

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Locates a test's cassettes.
enum CassettePlace {
    /// The environment variable with the folder of cassettes.
    static let variable = "REPRISE_FIXTURES"

    /// Returns the folder that the test names, or else the folder in ``variable``, or else `Fixtures/` next to the
    /// source file.
    static func folder(_ named: URL?, nextTo sourceFile: String, in environment: [String: String]) -> String {
        if let named { return named.path }
        if let folder = environment[variable], !folder.isEmpty { return folder }
        return URL(fileURLWithPath: sourceFile).deletingLastPathComponent().appendingPathComponent("Fixtures").path
    }

    /// Returns the path of a cassette or HAR file or, in the mode `stub`, of any existing file or folder.
    static func path(of name: String, in folder: String, mode: ReplayMode) -> String {
        let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
        if [".cassette.json", ".har"].contains(where: path.hasSuffix) { return path }
        if mode == .stub, FileManager.default.fileExists(atPath: path) { return path }
        return "\(path).cassette.json"
    }
}
