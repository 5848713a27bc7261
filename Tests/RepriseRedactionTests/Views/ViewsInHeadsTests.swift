// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction
@testable import RepriseText

@Suite struct ViewsInHeadsTests {
    static let lines = [
        (#"X-Payload: {"user":"bob","password":"hunter2"}"#, #"X-Payload: {"user":"bob","password":"[redacted]"}"#),
        ("X-Payload: eyJwYXNzd29yZCI6Imh1bnRlcjIifQ==", "X-Payload: [redacted]"),
        ("X-Forwarded-By: https://bob:hunter2@proxy.example/", "X-Forwarded-By: https://bob:[redacted]@proxy.example/"),
        ("X-Debug: a=%7B%22password%22%3A%22hunter2%22%7D", "X-Debug: a=%7B%22password%22%3A%22[redacted]%22%7D"),
    ]

    @Test(arguments: lines)
    func redactsHeaderLines(line: String, expected: String) throws {
        let header = try #require(HeaderLine(line))
        let redacted = Redaction.standard.redacted([header])[0]
        #expect(String(decoding: redacted.bytes, as: UTF8.self) == expected)
    }

    @Test func redactsValuesInURLs() {
        let url = "/x?filter=%7B%22password%22%3A%22hunter2%22%7D&page=2"
        let redacted = Redaction.standard.redacted(url: url)
        #expect(!redacted.contains("hunter2"))
        #expect(redacted.hasSuffix("&page=2"))
    }
}
