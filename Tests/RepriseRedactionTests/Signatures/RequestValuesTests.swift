// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCassettes
@testable import RepriseRedaction
@testable import RepriseText

/// Values of requests that are new in each request, and similar values that stay, see ``MarkedBody``.
@Suite struct RequestValuesTests {
    private static let random = "x7Rk2mT9vLpW4nB8sD1qZxa7"
    private static let uuid = "550e8400-e29b-41d4-a716-446655440000"
    private static let digest = "fe5f80f77d5fa3beca038a248ff027d0"
    private static let time = "2024-01-15T10:30:00Z"

    static let forms: [MarkedBody] = [
        .form("csrfmiddlewaretoken=«\(random)»&username=ada&password=«maple»"),
        .form("user%5Bpassword%5D=«maple»&authenticity_token=«ntfmSxB6sOr8Ac%2B0%2FrQIjX9J»&commit=Log+in"),
        .form("_csrf=«\(random)»&stripeToken=«tok_\(random)»"),
        .form("log=ada&pwd=«maple»&_wpnonce=«3d9bd69dbe»"),
        .form(
            "__VIEWSTATE=«\(random)%3D»&__VIEWSTATEGENERATOR=CA0B0334&__EVENTVALIDATION=«\(random)»&password=«maple»"
        ),
        .form("a%3Apassword=«maple»&javax.faces.ViewState=«723147710189186529%3A671482169646501409»"),
        .form("g-recaptcha-response=«03AGdBqB4Te_R9Qv5GVG»&password=«maple»&cf-turnstile-response=«0.\(random)»"),
        .form("secret=«maple»&response=«03AGdBqB4Te_R9Qv5GVG»"),
        .form("password=«maple»&requestId=«\(uuid)»&nonce=«1761658650123»"),
        MarkedBody(
            "multipart/form-data; boundary=x",
            "--x\r\nContent-Disposition: form-data; name=\"_csrf\"\r\n\r\n«\(random)»\r\n--x\r\n"
                + "Content-Disposition: form-data; name=\"password\"\r\n\r\n«maple»\r\n--x--\r\n"
        ),
        .form("csrfmiddlewaretoken=\(random)&q=maple"),
        .form("_csrf=disabled&password=«maple»&csrf_param=authenticity_token&request_id=42&response=accept+all"),
        .form("id=\(uuid)&account_id=\(uuid)&password=«maple»"),
    ]

    static let objects: [MarkedBody] = [
        .json(#"{"idempotency_key":"«\#(uuid)»","card":{"cvc":"«123»"},"location":"\#(uuid)"}"#),
        .json(#"{"header":{"requestId":"«\#(uuid)»","sign":"«\#(digest)»"},"body":{"id":"\#(uuid)"}}"#),
        .json(#"{"csrfToken":"«\#(random)»","user":{"password":"«maple»"}}"#),
        .json(#"{"jsonrpc":"2.0","id":"«\#(uuid)»","params":{"api_key":"«maple»","id":"\#(uuid)"}}"#),
        .json(#"{"nonce_str":"«\#(random)»","messageId":"\#(uuid)","password":"«maple»"}"#),
        .json(#"{"csrfToken":"\#(random)","request_id":"\#(uuid)"}"#),
        .json(#"{"request":{"idempotency_key":"\#(uuid)"},"data":{"client_secret":"«maple»"}}"#),
        .json(#"{"a":[{"idempotency_key":"«\#(uuid)»","cvc":"«123»"},{"idempotency_key":"\#(uuid)"}]}"#),
        .json(#"{"jsonrpc":"2.0","id":7,"params":{"api_key":"«maple»"}}"#),
        .json(#"{"id":"\#(uuid)","request_id":"a-7","password":"«maple»","timestamp":"\#(time)"}"#),
    ]

    static let messages: [MarkedBody] = [
        "<m><wsse:Security><wsse:UsernameToken wsu:Id=\"«UsernameToken-3F9A07C1»\"><wsse:Password>«maple-street»"
            + "</wsse:Password><wsu:Created>«\(time)»</wsu:Created></wsse:UsernameToken></wsse:Security>"
            + "<Order id=\"Order-3F9A07C1\"><Created>\(time)</Created></Order></m>",
        "<h><o:Security><u:Timestamp u:Id=\"_0\"><u:Created>«\(time)»</u:Created><u:Expires>«\(time)»</u:Expires>"
            + "</u:Timestamp><o:UsernameToken><o:Password><![CDATA[«maple»]]></o:Password></o:UsernameToken>"
            + "</o:Security></h>",
        "<r><header><Nonce>«4EDAC7ED4EDAC7ED»</Nonce><Timestamp>«\(time)»</Timestamp></header><AuthSignature>"
            + "<ds:DigestValue>«\(random)»</ds:DigestValue><ds:SignatureValue>«\(random)»</ds:SignatureValue>"
            + "</AuthSignature></r>",
        "<xml><nonce_str>«oDBuuen9Sl2sUwukepKIkqf8xO2f51Xr»</nonce_str><sign>«\(digest)»</sign></xml>",
        "<p:Resolve ID=\"«_\(digest)»\" IssueInstant=\"«\(time)»\"><password>«maple»</password></p:Resolve>",
        "OFXHEADER:100\r\n\r\n<OFX><DTCLIENT>«20251030120216»<USERID>ada<USERPASS>«maple»</OFX>",
        "<r><requestId>«\(uuid)»</requestId><password>«maple»</password></r>",
        "<r><requestId>\(uuid)</requestId><Timestamp>\(time)</Timestamp><Nonce>3f9a</Nonce></r>",
        "<o:Security><o:UsernameToken o:Id=\"UsernameToken-1\"><o:Password>«maple»</o:Password></o:UsernameToken>"
            + "</o:Security>",
        "<r ID=\"_\(digest)\"><password>«maple»</password><Timestamp>\(time)</Timestamp></r>",
    ].map { MarkedBody("text/xml", $0) }

    @Test(arguments: forms + objects + messages)
    func replacesFreshValuesBesideSecret(body: MarkedBody) throws {
        try body.expectRedaction(inRequestWith: [])
    }

    @Test(arguments: ["csrfmiddlewaretoken=\(random)&password=«maple»", "requestId=\(uuid)&password=«maple»"])
    func keepsValuesInResponse(text: String) throws {
        try MarkedBody.form(text).expectRedaction()
    }

    @Test(arguments: [
        (
            #"{"request":"/v1/balances","nonce":"«1761658650123»","timestamp":«1700000000»}"#,
            "X-BFX-SIGNATURE: \(digest)"
        ),
        (#"{"nonce":"«a1b2c3d4»","order":{"nonce":"4711","ts":1700000000}}"#, "Authorization: HMAC-SHA256 \(random)"),
        (#"{"nonce":"1761658650123","timestamp":1700000000}"#, "X-Signature-Version: 2"),
        (#"{"jsonrpc":"2.0","id":"«\#(uuid)»","method":"a"}"#, "Authorization: Bearer \(random)"),
        (#"{"idempotencyKey":"«\#(uuid)»","requestId":"\#(uuid)"}"#, "Authorization: Bearer \(random)"),
        (#"{"jsonrpc":"2.0","id":"\#(uuid)","method":"a"}"#, "Accept: text/plain"),
    ])
    func replacesFreshValuesIfHeaderHasSignatureOrCredentials(body: String, line: String) throws {
        try MarkedBody.json(body).expectRedaction(inRequestWith: [line])
    }

    @Test(arguments: [
        ("/a?requestId=\(uuid)&signature=\(digest)", "/a?requestId=[redacted]&signature=[redacted]"),
        ("/a?_csrf=\(random)&access_token=\(random)", "/a?_csrf=[redacted]&access_token=[redacted]"),
        ("/a?requestId=\(uuid)&_csrf=\(random)", "/a?requestId=\(uuid)&_csrf=\(random)"),
    ])
    func replacesFreshValuesInQuery(url: String, expected: String) {
        #expect(Redaction.standard.redacted(RecordedRequest(method: "GET", url: url)).url == expected)
        let location = HeaderLine("Location: /a?_csrf=\(Self.random)&access_token=maple")!
        #expect(Redaction.standard.redacted(location).value.contains("_csrf=\(Self.random)&"))
    }

    @Test func valuesAreNotLookedForElsewhere() throws {
        let standIns = StandIns(SecretMemory())
        let redaction = Redaction.standard.replacing(with: standIns)
        let type = "Content-Type: application/x-www-form-urlencoded"
        let body = Array("_csrf=\(Self.random)&password=maple".utf8)
        #expect(
            try BodyRedactions.redact([body], headers: [type], by: redaction, isRequest: true).text
                == "_csrf=[redacted~2]&password=[redacted~1]"
        )
        let page = "<input name=\"_csrf\" value=\"\(Self.random)\">"
        #expect(try BodyRedactions.redact(page, type: "text/html", by: redaction).text == page)
    }

    @Test func rulesOfUsersTakePrecedence() throws {
        let body = "request_id=\(Self.uuid)&_csrf=\(Self.random)&password="
        let redaction = try Redaction([.allowName("request_id")])
        let type = "Content-Type: application/x-www-form-urlencoded"
        let output = try BodyRedactions.redact(
            [Array((body + "maple").utf8)],
            headers: [type],
            by: redaction,
            isRequest: true
        )
        #expect(output.text == "request_id=\(Self.uuid)&_csrf=[redacted]&password=[redacted]")
    }
}
