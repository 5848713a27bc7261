// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction
@testable import RepriseText

@Suite struct CleanHeaderLinesTests {
    private static func lines(_ lines: [String]) throws -> [HeaderLine] {
        try lines.map { try #require(HeaderLine($0)) }
    }

    @Test func redactsAsWithoutCache() throws {
        let rounds = try [
            ["Accept: */*", "X-Api-Key: 1234567890abcdef", "X-Note: plain, and long enough to have a middle"],
            ["Accept: */*", "X-Api-Key: fedcba0987654321", "X-Note: plain, and long enough to have a middle"],
            // The start, the middle and the end of a clean line, with a secret between them.
            ["X-Note: plain, ghp_abcdefghijABCDEFGHIJ0123456789abcdef to have a middle"],
            ["Accept: */*", "X-Long: \(String(repeating: "a ", count: 2000))", "Authorization: Bearer abcdef"],
            ["X-Note: plain, and long enough to have a middle", "Authorization: Bearer abcdef", "Accept: */*"],
        ].map { try Self.lines($0) }
        var clean = CleanHeaderLines(.standard)
        for lines in rounds + rounds { #expect(clean.redacted(lines) == Redaction.standard.redacted(lines)) }
    }

    @Test func redactsLineThatDiffersFromCleanLineInOneByte() throws {
        var clean = CleanHeaderLines(.standard)
        let secret = try Self.lines(["X-Note: ghp_abcdefghijABCDEFGHIJ0123456789abcdef"])
        for index in secret[0].bytes.indices where index >= 8 {
            var bytes = secret[0].bytes
            bytes[index] = 0x20
            _ = clean.redacted([try #require(HeaderLine(bytes: bytes))])
        }
        #expect(clean.redacted(secret) == Redaction.standard.redacted(secret))
        #expect(clean.redacted(secret) != secret)
    }

    @Test func preservesNotes() throws {
        var clean = CleanHeaderLines(.standard)
        var lines = try Self.lines(["Accept: */*"])
        #expect(clean.redacted(lines) == lines)
        lines[0].note = "a remark"
        #expect(clean.redacted(lines) == lines)
    }
}
