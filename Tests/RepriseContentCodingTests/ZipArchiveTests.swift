// SPDX-License-Identifier: Apache-2.0

import RepriseContentCoding
import RepriseTestSupport
import Testing

@Suite struct ZipArchiveTests {
    private static let hello = Array("hello".utf8)

    @Test(arguments: [ZipText.Method.stored, .deflated])
    func readsFiles(method: ZipText.Method) throws {
        let archive = try ZipArchive(ZipText([("a/b.txt", Self.hello, method), ("empty", [], .stored)]).bytes)
        #expect(archive.names.sorted() == ["a/b.txt", "empty"])
        #expect(try archive.content(of: "a/b.txt", limit: 5) == Self.hello)
        #expect(try archive.content(of: "empty", limit: 0) == [])
        #expect(try archive.content(of: "b.txt", limit: 5) == nil)
    }

    @Test func readsArchiveWithComment() throws {
        var bytes = ZipText([("a", Self.hello, .stored)]).bytes
        bytes[bytes.count - 2] = 3
        #expect(try ZipArchive(bytes + Array("end".utf8)).content(of: "a", limit: 5) == Self.hello)
        #expect(throws: ZipArchive.Failure.self) { try ZipArchive(bytes) }
    }

    /// The declared size of a file of five bytes.
    @Test(arguments: [4, 6, 1 << 20, 0xFFFF_FFFF])
    func rejectsFileOfAnotherSize(size: Int) throws {
        for method in [ZipText.Method.stored, .deflated] {
            let archive = try ZipArchive(ZipText([("a", Self.hello, method)], size: size).bytes)
            #expect(throws: ZipArchive.Failure.self) { try archive.content(of: "a", limit: 1 << 24) }
        }
    }

    @Test func rejectsFileAboveLimitAndDamagedContent() throws {
        var bytes = ZipText([("a", Self.hello, .deflated)]).bytes
        #expect(throws: ZipArchive.Failure.self) { try ZipArchive(bytes).content(of: "a", limit: 4) }
        bytes[31 + 5] ^= 1
        #expect(throws: ZipArchive.Failure.self) { try ZipArchive(bytes).content(of: "a", limit: 5) }
    }

    @Test func rejectsTwoFilesWithOneName() {
        let bytes = ZipText([("a", Self.hello, .stored), ("a", [], .stored)]).bytes
        #expect(throws: ZipArchive.Failure.self) { try ZipArchive(bytes) }
    }

    /// No damage crashes, and what is read is what was written.
    @Test func damageIsNoticed() {
        let bytes = ZipText([("a", Self.hello, .stored), ("b", Self.hello, .deflated)]).bytes
        for index in bytes.indices {
            for byte: UInt8 in [0, 1, 0x7F, 0xFF] {
                var damaged = bytes
                damaged[index] = byte
                guard let archive = try? ZipArchive(damaged) else { continue }
                for name in archive.names {
                    if let content = try? archive.content(of: name, limit: 100) { #expect(content == Self.hello) }
                }
            }
            #expect(throws: ZipArchive.Failure.self) { try ZipArchive(Array(bytes[..<index])) }
        }
    }
}
