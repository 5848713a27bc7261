// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder for one test, removed with it.
final class TemporaryFolder {
    let path: String

    /// A folder that holds `files`, by their relative paths.
    init(_ files: [String: String] = [:]) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("reprise-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
        for (name, text) in files { try write(Array(text.utf8), to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
    }

    /// Makes a named pipe.
    func pipe(_ name: String) throws {
        let process = try Process.run(URL(fileURLWithPath: "/usr/bin/mkfifo"), arguments: ["\(path)/\(name)"])
        process.waitUntilExit()
    }

    func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: destination)
    }
}
