// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A temporary folder for one test, which is removed on deinitialization.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file in the folder, creates its parent folders, and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let url = URL(filePath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    /// The text of a file in the folder; nil if there is no such file.
    func text(of name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }
}
