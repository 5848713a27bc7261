// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A temporary folder for one test, which is removed on deinitialization.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a file in the folder and creates its parent folders.
    func write(_ text: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// The text of a file in the folder; nil if there is no such file.
    func text(of name: String) -> String? {
        FileManager.default.contents(atPath: url.appending(path: name).path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The sorted paths of everything in the folder.
    var names: [String] { (FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String] ?? []).sorted() }
}
