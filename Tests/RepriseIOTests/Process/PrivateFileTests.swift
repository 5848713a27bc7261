// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseIO
import Testing

@Suite struct PrivateFileTests {
    @Test func isAccessibleOnlyToOwner() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try PrivateFile.create(path: file.path, Array("secret".utf8))
        #expect(try String(contentsOf: file, encoding: .utf8) == "secret")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func doesNotReplaceExistingFile() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try PrivateFile.create(path: file.path, [1])
        #expect(throws: SystemError.self) { try PrivateFile.create(path: file.path, [2]) }
        #expect(try [UInt8](Data(contentsOf: file)) == [1])
    }
}
