// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RepriseContentCoding

@Suite struct InflaterTests {
    static let text = #"{"password":"hunter2","text":""# + String(repeating: "hello ", count: 20) + #""}"#
    static let gzip = bytes("H4sIAAAAAAACA6tWKkgsLi7PL0pRslLKKM0rSS0yUtJRKkmtKAEJpObk5CvQn1SqBQAcbYc8mAAAAA==")
    static let zlib = bytes("eJyrVipILC4uzy9KUbJSyijNK0ktMlLSUSpJrSgBCaTm5OQr0J9UqgUAP8E2uQ==")
    static let raw = bytes("q1YqSCwuLs8vSlGyUsoozStJLTJS0lEqSa0oAQmk5uTkK9CfVKoFAA==")

    @Test(arguments: [
        (Inflater.Coding.gzip, gzip, text), (.deflate, zlib, text), (.deflate, raw, text), (.gzip, [], ""),
        (.gzip, gzip + gzip, text + text), (.gzip, gzip + [0, 0, 0], text), (.gzip, gzip + [0] + gzip, text + text),
    ])
    func decodesSameTextForEverySplit(coding: Inflater.Coding, body: [UInt8], expected: String) throws {
        for size in [1, 2, 3, 10, 1000] {
            let pieces = stride(from: 0, to: body.count, by: size).map { Array(body[$0..<min($0 + size, body.count)]) }
            #expect(String(decoding: try decode(pieces, coding), as: UTF8.self) == expected, "pieces of \(size)")
        }
    }

    @Test func decodesPrefixOfTruncatedBody() throws {
        for count in 0..<Self.gzip.count {
            let decoded = try decode([Array(Self.gzip[..<count])], .gzip)
            #expect(Self.text.utf8.starts(with: decoded))
        }
    }

    @Test(arguments: [
        (Inflater.Coding.gzip, Array("plain text".utf8), Inflater.Failure.broken),
        (.gzip, gzip + [1], .trailingBytes), (.deflate, zlib + [1], .trailingBytes),
        (.deflate, raw + gzip, .trailingBytes),
        (.gzip, gzip + gzip.dropLast(8) + [1, 2, 3, 4, 0, 0, 0, 0], .broken), (.deflate, [0xFF, 0xFF, 0xFF], .broken),
    ])
    func rejectsInvalidBody(coding: Inflater.Coding, body: [UInt8], failure: Inflater.Failure) {
        #expect(throws: failure) { try decode([body], coding) }
        #expect(throws: failure) { try decode(body.map { [$0] }, coding) }
    }

    @Test func bodyIsCompleteAtItsEndOnly() throws {
        for count in 0...Self.gzip.count {
            var inflater = Inflater(.gzip)
            inflater.append(Array(Self.gzip[..<count]))
            while try inflater.next() != nil {}
            #expect(inflater.isComplete == (count == Self.gzip.count))
        }
    }

    @Test func copiesDecodeIndependently() throws {
        var one = Inflater(.gzip)
        one.append(Array(Self.gzip[..<40]))
        var first: [UInt8] = []
        while let bytes = try one.next() { first += bytes }
        var other = one
        for _ in 0..<2 {
            var decoded = first
            other = one
            other.append(Array(Self.gzip[40...]))
            while let bytes = try other.next() { decoded += bytes }
            #expect(String(decoding: decoded, as: UTF8.self) == Self.text)
        }
    }

    private func decode(_ pieces: [[UInt8]], _ coding: Inflater.Coding) throws -> [UInt8] {
        var inflater = Inflater(coding)
        var decoded: [UInt8] = []
        for piece in pieces {
            inflater.append(piece)
            while let bytes = try inflater.next() {
                #expect(1...Inflater.maximumCount ~= bytes.count)
                decoded += bytes
            }
        }
        return decoded
    }

    private static func bytes(_ base64: String) -> [UInt8] {
        Array(Data(base64Encoded: base64) ?? Data())
    }
}
