// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file that is deleted with its owner.
final class TemporaryFile: Sendable {
    let path: String

    init(_ bytes: [UInt8]) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("eventio-\(UUID().uuidString)").path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

@Suite struct ReadOnlyFileTests {
    @Test(arguments: [(0, 5, "Hello"), (5, 100, ", world"), (12, 5, ""), (100, 5, ""), (3, 0, "")])
    func readsPartOfFile(offset: Int, count: Int, text: String) throws {
        let temporary = try TemporaryFile(Array("Hello, world".utf8))
        let file = try ReadOnlyFile(path: temporary.path)
        var bytes = Array(">".utf8)
        let number = try file.read(at: offset, into: &bytes, count: count)
        #expect(number == text.utf8.count)
        #expect(String(decoding: bytes, as: UTF8.self) == ">" + text)
        #expect(file.size == 12)
    }

    @Test(arguments: ["/no/such/file", "/", "/dev/null"])
    func opensRegularFilesOnly(path: String) throws {
        let error = try #require(throws: SystemError.self) { try ReadOnlyFile(path: path) }
        #expect("\(error)".hasPrefix("open \(path): "))
    }
}
