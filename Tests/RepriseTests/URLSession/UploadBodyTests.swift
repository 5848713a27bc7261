// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct UploadBodyTests {
    private let request = HTTPRequest(path: "/", method: .put)

    @Test func keepsSmallBodyInMemory() async throws {
        let body = Body(Blocks(count: 3, size: 10))
        guard case .data(let data) = try await UploadBody(reading: body, of: request).content else {
            Issue.record("expected the body in memory")
            return
        }
        #expect(data == Data(repeating: 7, count: 30))
    }

    @Test func writesLargeBodyToPrivateFile() async throws {
        let count = UploadBody.memoryLimit / 1000 + 10
        var upload: UploadBody? = try await UploadBody(reading: Body(Blocks(count: count, size: 1000)), of: request)
        guard case .file(let url) = upload?.content else {
            Issue.record("expected the body in a file")
            return
        }
        #expect(try Data(contentsOf: url) == Data(repeating: 7, count: count * 1000))
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        upload = nil
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func removesFileWhenBodyFails() async throws {
        let count = UploadBody.memoryLimit / 1000 + 10
        let body = Body(Blocks(count: count, size: 1000), length: count * 1000 + 1)
        let folder = FileManager.default.temporaryDirectory.appending(path: "reprise-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let error = await #expect(throws: TransportError.self) {
            try await UploadBody(reading: body, of: request, into: folder)
        }
        #expect(error?.code == .requestBody)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}

private struct Blocks: AsyncSequence {
    let count: Int
    let size: Int

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: count, size: size)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: Int
        let size: Int

        mutating func next() async -> [UInt8]? {
            guard rest > 0 else { return nil }
            rest -= 1
            return [UInt8](repeating: 7, count: size)
        }
    }
}
