// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCassettes
@testable import RepriseRedaction
@testable import RepriseText

@Suite struct SignedFieldsTests {
    @Test(arguments: [
        (
            "/s3?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAABCDEFGHIJKLMNOP%2F20240115%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20240115T103000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=fe5f80f77d5fa3beca038a248ff027d0",
            "/s3?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=[redacted]&X-Amz-Date=[redacted]&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=[redacted]"
        ),
        (
            "/b?sv=2022-11-02&st=2024-01-15T10%3A30%3A00Z&se=2024-01-16T10%3A30%3A00Z&sr=b&sp=r&sig=x7Rk2mT9vLpW4nB8sD1qZxa7%2BaF3%3D",
            "/b?sv=2022-11-02&st=[redacted]&se=[redacted]&sr=b&sp=r&sig=[redacted]"
        ),
        (
            "/f?Expires=1700000000&Signature=x7Rk2mT9vLpW4nB8sD1qZxa7&Key-Pair-Id=K2JCJMDEHXQW5F",
            "/f?Expires=[redacted]&Signature=[redacted]&Key-Pair-Id=[redacted]"
        ),
        (
            "/r?oauth_consumer_key=dpf43f3p2l4k3l03&oauth_nonce=kllo9940pd9333jh&oauth_timestamp=1191242096&oauth_signature=tR3%2BTy81lMeYAr%2FFid0kMTYa%2FWM%3D&oauth_version=1.0",
            "/r?oauth_consumer_key=[redacted]&oauth_nonce=[redacted]&oauth_timestamp=[redacted]&oauth_signature=[redacted]&oauth_version=1.0"
        ),
        (
            "/auth?hmac=700e2dadb827fcc8609e9d5ce208b2e9cdaab9df07390d2cbca10d7c328fc4bf&shop=some-shop.myshopify.com&timestamp=1337178173",
            "/auth?hmac=[redacted]&shop=some-shop.myshopify.com&timestamp=[redacted]"
        ),
        (
            "/v?token=8f14e45fceea167a5a36dedd4bea2543&expires=1700000000&id=7",
            "/v?token=[redacted]&expires=[redacted]&id=7"
        ),
        ("/a?date=2024-01-15&expires=1700000000&t=1700000000", "/a?date=2024-01-15&expires=1700000000&t=1700000000"),
        ("/a?api_key=abc&date=2024-01-15&start=1", "/a?api_key=[redacted]&date=2024-01-15&start=1"),
        ("/a?signature=none&date=2024-01-15", "/a?signature=none&date=2024-01-15"),
        // The links of content delivery networks.
        (
            "/v?hdnts=st=1791439629~exp=1792456743~acl=/ak/*~hmac=700e2dadb827fcc8609e9d5ce208b2e9cdaab9df07390d2c",
            "/v?hdnts=st=[redacted]~exp=[redacted]~acl=/ak/*~hmac=[redacted]"
        ),
        (
            "/v?hdnea=exp=1792456743~id=user42~hmac=700e2dadb827fcc8609e9d5ce208b2e9&x=1",
            "/v?hdnea=exp=[redacted]~id=user42~hmac=[redacted]&x=1"
        ),
        ("/v?range=exp=1792456743~acl=/ak/*", "/v?range=exp=1792456743~acl=/ak/*"),
        ("/v?sort=name~asc&e=1792456743", "/v?sort=name~asc&e=1792456743"),
        (
            "/attachments/1/2/a.png?ex=65d903de&is=65c68ede&hm=2481f30dd67f503f54d020ae3b5533b9987fae4e55f2b4e3926e08a3fa3ee24f",
            "/attachments/1/2/a.png?ex=[redacted]&is=[redacted]&hm=[redacted]"
        ),
        ("/a?ex=65d903de&is=65c68ede&hm=50", "/a?ex=65d903de&is=65c68ede&hm=50"),
        (
            "/w?sig=8f14e45fceea167a5a36dedd4bea2543&e=1791439629&ttl=3600&is=open",
            "/w?sig=[redacted]&e=[redacted]&ttl=3600&is=open"
        ),
        (
            "/w?sig=8f14e45fceea167a5a36dedd4bea2543&ex=1791439629&ttl=1791439629",
            "/w?sig=[redacted]&ex=[redacted]&ttl=[redacted]"
        ),
        ("/d?md5=x7Rk2mT9vLpW4nB8sD1qZx&expires=1791439629", "/d?md5=[redacted]&expires=[redacted]"),
        ("/d?st=x7Rk2mT9vLpW4nB8sD1qZx&e=1791439629&f=1", "/d?st=[redacted]&e=[redacted]&f=1"),
        ("/d?md5=x7Rk2mT9vLpW4nB8sD1qZx", "/d?md5=x7Rk2mT9vLpW4nB8sD1qZx"),
        (
            "/d?md5=8f14e45fceea167a5a36dedd4bea2543&expires=1791439629",
            "/d?md5=8f14e45fceea167a5a36dedd4bea2543&expires=1791439629"
        ),
    ])
    func redactsCompanionsInURLs(url: String, expected: String) {
        let redacted = Redaction.standard.redacted(RecordedRequest(method: "GET", url: url))
        #expect(redacted.url == expected)
        #expect(Redaction.standard.redacted(redacted) == redacted)
    }

    @Test(arguments: [
        (
            [
                "Authorization: AWS4-HMAC-SHA256 Credential=x", "X-Amz-Date: 20240115T103000Z",
                "X-Amz-Content-Sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "Date: Tue, 15 Nov 1994 08:12:31 GMT",
            ],
            [
                "Authorization: [redacted]", "X-Amz-Date: [redacted]",
                "X-Amz-Content-Sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "Date: Tue, 15 Nov 1994 08:12:31 GMT",
            ]
        ),
        (
            [
                "X-Slack-Signature: v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d2",
                "X-Slack-Request-Timestamp: 1531420618",
            ],
            ["X-Slack-Signature: [redacted]", "X-Slack-Request-Timestamp: [redacted]"]
        ),
        (
            ["X-Request-Timestamp: 1531420618", "X-Sig: none"], ["X-Request-Timestamp: 1531420618", "X-Sig: none"]
        ),
        (
            ["Expires: Tue, 15 Nov 1994 08:12:31 GMT", "Signature: x7Rk2mT9vLpW4nB8sD1qZxa7"],
            ["Expires: Tue, 15 Nov 1994 08:12:31 GMT", "Signature: [redacted]"]
        ),
    ])
    func redactsCompanionsInHeaders(lines: [String], expected: [String]) {
        let headers = lines.compactMap { HeaderLine($0) }
        var clean = CleanHeaderLines(.standard)
        for redacted in [Redaction.standard.redacted(headers), clean.redacted(headers), clean.redacted(headers)] {
            #expect(redacted.map { String(decoding: $0.bytes, as: UTF8.self) } == expected)
            #expect(Redaction.standard.redacted(redacted) == redacted)
        }
    }

    @Test(arguments: [
        (
            "application/x-www-form-urlencoded",
            "oauth_timestamp=1191242096&a=1191242096&oauth_signature=tR3%2BTy81lMeYAr",
            "oauth_timestamp=[redacted]&a=1191242096&oauth_signature=[redacted]"
        ),
        ("application/x-www-form-urlencoded", "nonce=1616492376594&a=1", "nonce=[redacted]&a=1"),
        (
            "application/json", #"{"timestamp":1700000000,"n":{"timestamp":1700000000},"sig":"x7Rk2mT9vLpW4nB8sD1q"}"#,
            #"{"timestamp":[redacted],"n":{"timestamp":1700000000},"sig":"[redacted]"}"#
        ),
        (
            "application/json", #"{"code":"482913","phone":"+14155552671"}"#,
            #"{"code":"[redacted]","phone":"+14155552671"}"#
        ),
        ("application/json", #"{"type":"sms","code":482913}"#, #"{"type":"sms","code":[redacted]}"#),
        ("application/json", #"{"verify":{"code":"4829"}}"#, #"{"verify":{"code":"[redacted]"}}"#),
        ("application/json", #"{"error":{"code":"4829"},"code":40412}"#, #"{"error":{"code":"4829"},"code":40412}"#),
        (
            "application/json", #"{"kty":"EC","x":"x7Rk2mT9vLpW4nB8sD1q","d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZ"}"#,
            #"{"kty":"EC","x":"x7Rk2mT9vLpW4nB8sD1q","d":"[redacted]"}"#
        ),
    ])
    func redactsCompanionsInBodies(type: String, body: String, expected: String) throws {
        #expect(try BodyRedactions.redact(body, type: type).text == expected)
        #expect(try BodyRedactions.redact(expected, type: type).text == expected)
    }

    @Test func redactsCompanionsInParts() throws {
        func part(_ name: String, _ value: String) -> String {
            "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let signature = "fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024"
        let body =
            part("key", "a/b.txt") + part("x-amz-date", "20240115T103000Z") + part("x-amz-signature", signature)
            + part("date", "") + "--x--\r\n"
        let output = try BodyRedactions.redact(body, type: "multipart/form-data; boundary=x")
        let expected = body.replacing("20240115T103000Z", with: "[redacted]").replacing(signature, with: "[redacted]")
        #expect(output.text == expected)
        #expect(try BodyRedactions.redact(expected, type: "multipart/form-data; boundary=x").text == expected)
    }

    @Test(arguments: [
        (
            "<a><Password Type='#PasswordDigest'>x7Rk2mT9vLpW4nB8sD1qZxa7</Password><Nonce>cXdlcnR5dWlvcGFzZGY=</Nonce>"
                + "<u:Created>2024-01-15T10:30:00Z</u:Created></a><b><Created>2024-01-15T10:30:00Z</Created></b>",
            "<a><Password Type='#PasswordDigest'>[redacted]</Password><Nonce>[redacted]</Nonce>"
                + "<u:Created>[redacted]</u:Created></a><b><Created>2024-01-15T10:30:00Z</Created></b>"
        ),
        (
            "<h><a:MessageID>urn:uuid:3f9a</a:MessageID><o:Security><o:Username>bob</o:Username><o:Nonce>x7Rk2mT9vL"
                + "</o:Nonce><o:Password>hunter2</o:Password></o:Security></h>",
            "<h><a:MessageID>[redacted]</a:MessageID><o:Security><o:Username>bob</o:Username><o:Nonce>[redacted]"
                + "</o:Nonce><o:Password>[redacted]</o:Password></o:Security></h>"
        ),
        ("<h><a:MessageID>urn:uuid:3f9a</a:MessageID></h>", "<h><a:MessageID>urn:uuid:3f9a</a:MessageID></h>"),
        (
            "<s:Security><Timestamp><Expires>2024-01-15T10:30:00Z</Expires></Timestamp><Signature><SignatureValue>"
                + "x7Rk2mT9vLpW4nB8sD1qZxa7</SignatureValue></Signature></s:Security>",
            "<s:Security><Timestamp><Expires>[redacted]</Expires></Timestamp><Signature><SignatureValue>"
                + "[redacted]</SignatureValue></Signature></s:Security>"
        ),
        (
            "<a><Created>2024-01-15T10:30:00Z</Created><Nonce>none</Nonce></a>",
            "<a><Created>2024-01-15T10:30:00Z</Created><Nonce>none</Nonce></a>"
        ),
    ])
    func redactsCompanionsInXML(body: String, expected: String) throws {
        #expect(try BodyRedactions.redact(body, type: "application/xml").text == expected)
        #expect(try BodyRedactions.redact(expected, type: "application/xml").count == 0)
    }
}
