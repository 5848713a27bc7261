// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct DotSegmentsTests {
    @Test(arguments: ["..", "/..", "/../a", "/a/..", "/a/../b", "/./a", "/a/.", ".", "/a/./"])
    func areFoundPlain(path: String) {
        #expect(DotSegments.first(in: path) != nil)
    }

    @Test(arguments: ["/%2e%2e/a", "/%2E./a", "/.%2e", "/%2e", "/a/%2E%2E"])
    func areFoundEscaped(path: String) {
        #expect(DotSegments.first(in: path) != nil)
    }

    @Test(arguments: ["/%252e%252e/a", "/%252E.", "/%25252e%25252e", "/%25%32%65%25%32%65"])
    func areFoundEscapedTwiceAndMore(path: String) {
        #expect(DotSegments.first(in: path) != nil)
    }

    @Test(arguments: ["/a%2F..%2Fb", "/..%2f", "/%2e%2e%2fb", "/a%5C..%5Cb", #"/..\a"#, "/a%252f..", "/a%2F."])
    func areFoundBehindAnEscapedSlash(path: String) {
        #expect(DotSegments.first(in: path) != nil)
    }

    @Test(arguments: [
        "/a..b", "/..a", "/a..", "/...", "/.hidden", "/a.b", "/v1.0/a", "/%2e%2e%2e", "/a%2Fb", "/%", "/%2", "/100%.",
        "//", "", "/%20..",
    ])
    func areNoOtherSegments(path: String) {
        #expect(DotSegments.first(in: path) == nil)
    }
}
