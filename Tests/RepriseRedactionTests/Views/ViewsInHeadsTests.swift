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

    @Test(arguments: [
        ("/x?a=Bearer%20x7Rk2mT9vLpW4nB8sD1qZxa7&b=1", "/x?a=Bearer%20[redacted]&b=1"),
        (
            "/d?$filter=ApiKey%20eq%20'0ea75547-a71c-40bc-a6ad-8b684b8a7455'&n=1",
            "/d?$filter=ApiKey%20eq%20'[redacted]'&n=1"
        ),
    ])
    func keepsPercentEncodingOfSpaces(url: String, expected: String) {
        #expect(Redaction.standard.redacted(url: url) == expected)
        #expect(Redaction.standard.redacted(url: expected) == expected)
        #expect(!Redaction.standard.replacing(with: StandIns()).redacted(url: url).contains(" "))
    }
}
