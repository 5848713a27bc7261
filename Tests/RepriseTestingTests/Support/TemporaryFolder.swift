// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder of its own for one test, which is gone when it is let go of.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a file in it, with the folders that it is in.
    func write(_ text: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// What a file in it holds; nil if there is none.
    func text(of name: String) -> String? {
        FileManager.default.contents(atPath: url.appending(path: name).path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names of the files in it.
    var names: [String] { (FileManager.default.enumerator(atPath: url.path)?.allObjects as? [String] ?? []).sorted() }
}
