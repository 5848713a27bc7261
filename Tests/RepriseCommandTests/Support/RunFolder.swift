// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder in which `mockserver run` runs.
struct RunFolder {
    let path: String

    func write(_ text: String, to name: String) throws {
        let file = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

    /// Runs the script with the fixtures in the folder `F`.
    func run(
        _ script: String,
        _ options: [String] = ["--serve", "F", "--env", "API_URL"],
        environment: [String: String] = ["CI": ""]
    ) async throws -> MockServerProcess.Result {
        try await process(["sh", "-c", script], options, environment: environment).result()
    }

    func process(
        _ command: [String],
        _ options: [String] = ["--serve", "F", "--env", "API_URL"],
        environment: [String: String] = ["CI": ""]
    ) throws -> MockServerProcess {
        try MockServerProcess(
            ["run"] + options + ["--"] + command,
            environment: environment,
            in: URL(filePath: path)
        )
    }
}

/// Runs `body` with a folder that has a fixture for `GET /users` in the folder `F`.
func withRunFolder(_ body: (RunFolder) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = RunFolder(path: path)
    try folder.write("[1]", to: "F/users.get.json")
    try await body(folder)
}
