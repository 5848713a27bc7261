// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching

@Suite struct CanonicalMultipartTests {
    private static let canonical = "content-disposition:form-data; name=\"a\"\nx:1\n\n3\none\n\n2\n\r\n\n"

    @Test(arguments: [
        ("b", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nX: 1\r\n\r\none\r\n--b\r\n\r\n\r\n\r\n--b--\r\n"),
        ("--x", "----x\r\nX:1\r\ncontent-disposition:form-data; name=\"a\"\r\n\r\none\r\n----x\r\n\r\n\r\n\r\n----x--"),
        (
            "b",
            "preamble\r\n--b \r\nX: 1 \r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--b\r\n\r\n\r\n\r\n--b--end"
        ),
        (nil, "--q\r\nX: 1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--q\r\n\r\n\r\n\r\n--q--\r\n"),
    ])
    func omitsBoundary(boundary: String?, body: String) {
        #expect(canonicalMultipart(body, boundary: boundary) == Self.canonical)
    }

    @Test func findsPartsOfCanonicalForm() {
        let canonical = Array(Self.canonical.utf8)
        let parts = CanonicalMultipart.parts(canonical.span)
        #expect(parts.count == 2)
        #expect(canonical[parts[0].headers].elementsEqual("content-disposition:form-data; name=\"a\"\nx:1\n".utf8))
        #expect(canonical[parts[0].content].elementsEqual("one".utf8))
        #expect(parts[1].headers.isEmpty)
        #expect(canonical[parts[1].content].elementsEqual("\r\n".utf8))
    }

    @Test(arguments: [
        "", "--b", "--b\r\n", "--b\r\n\r\nx", "--b\r\n\r\nx\r\n--b\r\n", "--b--", "--c\r\n\r\nx\r\n--c--",
    ])
    func returnsNilForInvalidBodies(body: String) {
        #expect(canonicalMultipart(body, boundary: "b") == nil)
    }

    @Test func keepsLinesThatResembleDelimiter() {
        let body = "--b\r\n\r\n--bc\r\n--b\r\n\r\n--b--\r\n"
        #expect(canonicalMultipart(body, boundary: "b") == "\n4\n--bc\n\n0\n\n")
    }

    @Test func acceptsEverySliceOfBody() {
        let body = Array("--b\r\nX: 1\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n".utf8)
        for start in body.indices {
            for end in start...body.count {
                let cut = body[start..<end].map { $0 }
                let found = CanonicalMultipart.canonical(cut.span, boundary: nil)
                guard let found else { continue }
                let count = CanonicalMultipart.parts(found.span).count
                #expect(count <= 2)
            }
        }
    }
}
