// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder for one test, which is removed when the object is released.
public final class TemporaryFolder {
    /// The path of the folder.
    public let path: String

    /// Creates a folder with the given files, whose keys are relative paths.
    public init(_ files: [String: String] = [:]) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("reprise-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
        for (name, text) in files { try write(Array(text.utf8), to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file in the folder and creates intermediate folders as needed.
    public func write(_ bytes: [UInt8], to name: String) throws {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
    }

    /// Creates a named pipe.
    public func pipe(_ name: String) throws {
        let process = try Process.run(URL(fileURLWithPath: "/usr/bin/mkfifo"), arguments: ["\(path)/\(name)"])
        process.waitUntilExit()
    }

    /// Creates a symbolic link.
    public func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: destination)
    }
}
