// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import RepriseText
import Testing

@testable import Reprise

@Suite struct DotSegmentsTests {
    @Test(arguments: ["..", "/..", "/../a", "/a/..", "/a/../b", "/./a", "/a/.", ".", "/a/./"])
    func findsPlainSegments(path: String) {
        #expect(DotSegments.first(in: path) != nil)
    }

    @Test(arguments: ["/%2e%2e/a", "/%2E./a", "/.%2e", "/%2e", "/a/%2E%2E"])
    func findsEscapedSegments(path: String) {
        #expect(DotSegments.first(in: path) != nil)
    }

    @Test(arguments: ["/%252e%252e/a", "/%252E.", "/%25252e%25252e", "/%25%32%65%25%32%65"])
    func findsRepeatedlyEscapedSegments(path: String) {
        #expect(DotSegments.first(in: path) != nil)
    }

    @Test(arguments: ["/a%2F..%2Fb", "/..%2f", "/%2e%2e%2fb", "/a%5C..%5Cb", #"/..\a"#, "/a%252f..", "/a%2F."])
    func findsSegmentsBesideEscapedSlashes(path: String) {
        #expect(DotSegments.first(in: path) != nil)
    }

    @Test(arguments: [
        "/a..b", "/..a", "/a..", "/...", "/.hidden", "/a.b", "/v1.0/a", "/%2e%2e%2e", "/a%2Fb", "/%", "/%2", "/100%.",
        "//", "", "/%20..",
    ])
    func ignoresOtherSegments(path: String) {
        #expect(DotSegments.first(in: path) == nil)
    }

    /// Decoding level by level would take many minutes.
    @Test(.timeLimit(.minutes(1))) func findsDeeplyEscapedSegmentsInLinearTime() {
        let percent = "%" + String(repeating: "25", count: 50_000)
        #expect(DotSegments.first(in: "/\(percent)2e\(percent)2E/a") != nil)
        #expect(DotSegments.first(in: "/\(percent)2e\(percent)") == nil)
    }

    @Test func agreesWithRepeatedDecoding() {
        var generator = SeededGenerator(seed: 11)
        let pieces = ["%", "25", "2", "5", "e", "2e", "%2e", "%2F", "%5c", ".", "..", "/", "\\", "%32", "%65", "a"]
        var found = 0
        for _ in 0..<20_000 {
            let path = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            let isFound = DotSegments.first(in: path) != nil
            #expect(isFound == hasDotSegment(path), "\(path)")
            if isFound { found += 1 }
        }
        #expect(found > 1000)
    }

    private func hasDotSegment(_ path: String) -> Bool {
        var bytes = Array(path.utf8)
        while case let decoded = PercentEscape.decoded(bytes.span), decoded != bytes { bytes = decoded }
        let segments = bytes.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return segments.contains { $0 == [0x2E] || $0 == [0x2E, 0x2E] }
    }
}
