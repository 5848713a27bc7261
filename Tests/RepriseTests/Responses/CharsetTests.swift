// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct CharsetTests {
    private func api(_ content: [UInt8], _ type: String) -> Client {
        Client("https://h", transport: ClosureTransport(headers: [.contentType: type], body: Body(content)))
    }

    @Test(
        arguments: [
            ("text/plain; charset=ISO-8859-1", [0x63, 0x61, 0x66, 0xE9], "café"),
            ("text/plain; charset=\"latin1\"", [0xE9], "é"), ("text/html; Charset=windows-1252", [0x80], "€"),
            ("text/plain; charset=koi8-r", [0xC1], "а"), ("text/plain; charset=shift_jis", [0x83, 0x65], "テ"),
            ("text/plain; charset=utf-16be", [0, 0x61, 0, 0x62], "ab"),
            ("text/plain; charset=UTF-8", [0xC3, 0xA9], "é"),
            ("text/plain; charset=us-ascii", [0x61], "a"), ("text/plain", [0xC3, 0xA9, 0xFF], "é\u{FFFD}"),
        ] as [(String, [UInt8], String)]
    )
    func readsTextInItsCharset(type: String, content: [UInt8], text: String) async throws {
        #expect(try await api(content, type).get("/").value(as: String.self) == text)
        #expect(try await api(content, type).get("/").value(as: String?.self) == text)
        #expect(try await api(content, type).get("/").send().text == text)
    }

    @Test(arguments: ["text/plain; charset=iso-8859-1", "text/csv; charset=windows-1252"])
    func readsLinesInTheirCharset(type: String) async throws {
        let call = api([0xE9, 0x0D, 0x0A, 0x61, 0xE8], type).get("/")
        var lines: [String] = []
        for try await line in try await call.lines() { lines.append(line) }
        #expect(lines == ["é", "aè"])
    }

    @Test(arguments: ["text/plain; charset=x-unknown", "text/plain; charset=iso-2022-jp"])
    func throwsForUnknownCharset(type: String) async {
        let call = api([0x61], type).get("/a")
        for read: @Sendable () async throws -> Void in [
            { _ = try await call.value(as: String.self) }, { _ = try await call.lines() },
        ] {
            let error = await #expect(throws: ClientError.self) { try await read() }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains(type.drop { $0 != "=" }.dropFirst()) == true)
            #expect(error?.request?.path == "/a")
        }
        #expect((try? await call.send().text) == "a")
    }

    @Test func throwsForLinesInUTF16() async {
        let error = await #expect(throws: ClientError.self) {
            _ = try await api([0, 0x61], "text/plain; charset=utf-16").get("/").lines()
        }
        #expect(error?.message.contains("contains ASCII") == true)
    }

    @Test func throwsForInvalidText() async {
        let error = await #expect(throws: ClientError.self) {
            _ = try await api([0x83], "text/plain; charset=shift_jis").get("/").value(as: String.self)
        }
        #expect(error?.code == .decoding)
    }
}
