// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction
@testable import RepriseText

@Suite struct DecodedViewsTests {
    /// A text in which `⟨` and `⟩` enclose what must be cut.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String

        init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }

        var testDescription: String { name }
        var plain: String { text.filter { $0 != "⟨" && $0 != "⟩" } }
        var expected: String {
            var expected = ""
            var isInside = false
            for character in text {
                switch character {
                case "⟨": (isInside, expected) = (true, expected + "[redacted]")
                case "⟩": isInside = false
                default: if !isInside { expected.append(character) }
                }
            }
            return expected
        }
    }

    static let objects = [
        Case("JSON in JSON", #"{"a":"{\"password\":\"⟨hun\\nter2⟩\"}"}"#),
        Case("form in JSON", #"{"body":"user=a&password=⟨hun%26ter2⟩&x=1"}"#),
        Case("JSON in a form in JSON", #"{"body":"a=%7B%22password%22%3A%22⟨hunter2⟩%22%7D"}"#),
        Case("double-encoded JSON", #""{\"password\":\"⟨hunter2⟩\"}""#),
        Case("JSON after a prefix", ")]}',\n{\"a\":\"password=⟨x9!⟩\"}"),
        Case("JSON in a call", #"callback({"variables":[{"name":"API_KEY","value":"⟨x9k2m4p7q1w8⟩"}]});"#),
        Case("siblings", #"[{"name":"API_KEY","value":"⟨x9k2m4p7q1w8⟩"},{"name":"REGION","value":"eu-west-1"}]"#),
        Case("capital siblings", #"{"Name":"DB_PASSWORD","Value":"⟨hunter2⟩"}"#),
        Case("siblings with a longer name", #"{"ParameterKey":"DBPassword","ParameterValue":"⟨hunter2⟩"}"#),
        Case("siblings in reverse", #"{"value":"⟨hunter2⟩","enabled":true,"key":"password"}"#),
        Case("a list of values", #"{"name":"Authorization","values":["⟨Bearer x9k2m4p7q1w8⟩"]}"#),
        Case("a pair", #"[["Authorization","⟨Bearer-x9k2m4p7q1w8⟩"],["Accept","application/json"]]"#),
        Case("JSON Patch", #"[{"op":"replace","path":"/user/password","value":"⟨hunter2⟩"}]"#),
        Case("JavaScript", "var config = { user: 'bob', password: '⟨hunter2⟩', list: [1, 'two'] };"),
        Case("Python", "{'user': 'bob', 'headers': [{'name': 'X-Api-Key', 'value': '⟨x9k2m4p7q1w8⟩'}]}"),
        Case("a log", #"[2024-05-01T10:00:00Z] INFO login {"user":"bob","password":"⟨hunter2⟩"} done"#),
        Case("a log with escapes", #"INFO body="{\"user\":\"bob\",\"password\":\"⟨hunter2⟩\"}" status=200"#),
        Case("GraphQL", #"{"query":"mutation { login(user: \"bob\", password: \"⟨hunter2⟩\") { id } }"}"#),
        Case("GraphQL variables", #"{"query":"mutation($p: String!)","variables":{"input":{"password":"⟨hunter2⟩"}}}"#),
        Case("a nested value", #"{"key":"password","value":{"stringValue":"⟨hunter2⟩"},"ok":true}"#),
        Case("a change", #"{"attribute":"db_password","old_value":"⟨hunter1⟩","new_value":"⟨hunter2⟩"}"#),
        Case("an identifier beside a text", #"[{"id":"DB_PASSWORD","text":"⟨Lwhz09@ICKJXq0⟩"},{"id":"A","text":"b"}]"#),
        Case("a group", #"{"password":{"value":"⟨hunter2⟩"}}"#),
        Case("Unicode escapes", #"{"a":"\u0070assword=⟨hunter2⟩"}"#),
        Case(
            "escaped HTML in JSON",
            #"{"html":"\u003Cinput name=\u0022password\u0022 value=\u0022⟨hunter2⟩\u0022\u003E"}"#
        ),
    ]

    static let markup = [
        Case("element", "<a><Password>⟨hun&amp;ter2⟩</Password><b>c</b></a>"),
        Case("namespace", #"<wsse:Password Type="http://x.example/y#PasswordText">⟨hunter2⟩</wsse:Password>"#),
        Case("CDATA", "<r><client_secret><![CDATA[⟨hunter2⟩]]></client_secret></r>"),
        Case("attribute", #"<server host="a" password="⟨hunter2⟩"/>"#),
        Case("setting", #"<add key="Password" value="⟨hunter2⟩"/><add key="Color" value="red"/>"#),
        Case("property", #"<property name="db.password">⟨hunter2⟩</property><property name="db.user">bob</property>"#),
        Case("nested value", #"<setting name="ApiKey"><value>⟨x9k2m4p7q1w8⟩</value></setting>"#),
        Case(
            "property list",
            "<dict><key>apiKey</key><string>⟨x9k2m4p7q1w8⟩</string><key>a</key><string>b</string></dict>"
        ),
        Case("XML-RPC", "<member><name>password</name><value><string>⟨hunter2⟩</string></value></member>"),
        Case("parameter", "<Parameter><Name>Password</Name><Type>String</Type><Value>⟨hunter2⟩</Value></Parameter>"),
        Case("input", #"<form><input type=hidden name=password value=⟨hunter2⟩><input name="a" value="b"></form>"#),
        Case("JSON in an attribute", #"<div data-x="{&quot;password&quot;:&quot;⟨hunter2⟩&quot;}"></div>"#),
        Case("JSON in a script", #"<html><script>window.s = {"user":{"password":"⟨hunter2⟩"}};</script></html>"#),
        Case("connection string", #"<add name="Db" address="Server=a;User Id=b;Password=⟨hun ter2⟩;Port=1"/>"#),
        Case("table", "<tr><td>DB_PASSWORD</td><td>⟨hunter2⟩</td></tr><tr><td>Password</td><td>required</td></tr>"),
        Case("a code in bold", "<p>Your code is <b>⟨733597⟩</b>.</p>"),
        Case("XML in JSON", #"{"x":"<Password>⟨hunter2⟩</Password>"}"#),
    ]

    static let lines = [
        Case("code in a message", "Open the page or enter code ⟨482913⟩ to continue"),
        Case("option of a server", "command: redis-server --requirepass ⟨x7Rk2mT9vL⟩ --port 6379"),
        Case("YAML", "user: bob\npassword: ⟨hunter2⟩ # the password\nport: 5432\n"),
        Case("YAML strings", "a:\n  password: \"⟨hun ter2⟩\"\n  api_key: '⟨x9k2m4p7q1w8⟩'\n"),
        Case("YAML block", "a:\n  password: |\n    ⟨hunter2\n    more⟩\n  b: c\n"),
        Case(
            "YAML environment",
            "env:\n  - name: API_KEY\n    value: ⟨x9k2m4p7q1w8⟩\n  - name: LEVEL\n    value: debug\n"
        ),
        Case("environment file", "A=b\nexport API_KEY=⟨x9k2&m4p7q1w8⟩\nDB_PASSWORD='⟨hunter2⟩'\n"),
        Case("properties", "db.user = bob\ndb.password = ⟨hunter 2⟩\n"),
        Case(
            "header lines",
            "POST /x HTTP/1.1\r\nHost: x\r\nAuthorization: ⟨Bearer x9k2m4p7q1w8⟩\r\nX-Api-Key: ⟨x9k2m4p7q1w8⟩\r\n\r\n"
        ),
        Case("credentials in prose", "Send Authorization Bearer ⟨x9k2m4p7q1w8⟩ with it."),
        Case("Basic in prose", "It said Basic ⟨dXNlcjpodW50ZXIy⟩ to me"),
        Case("curl", "curl -X POST -u bob:⟨hunter2⟩ -H 'Authorization: ⟨Bearer x9k2m4p7q1w8⟩' https://x.example/"),
        Case("curl with data", #"curl https://x.example -d '{"a":{"password":"⟨hunter2⟩"}}' --oauth2-bearer x"#),
        Case("option", "deploy --user bob --password ⟨hunter2⟩ --verbose"),
        Case("URL", "connect to postgres://bob:⟨hunter2⟩@db.example:5432/x, then redis://:⟨hunter2⟩@y"),
        Case(
            "raw password in a URL",
            "rtsp://admin:⟨x7#k@R⟩@cam/live@2x, ftp://a:⟨#b⟩@c, ftp://a:⟨Xk/7mQ2⟩@c.example/d"
        ),
        Case(
            "connect string",
            "scott/⟨tiger⟩@//db.example:1521/x or scott/⟨tiger⟩@db:1521 (scott/⟨tiger⟩@(DESCRIPTION=x))"
        ),
        Case("connect string of a driver", "jdbc:oracle:thin:scott/⟨tiger⟩@xe, jdbc:oracle:oci:@xe"),
        Case("connect string after a command", "sqlplus -s -l scott/⟨tiger⟩@xe @run.sql\nCONNECT scott/⟨tiger⟩@xe;"),
        Case("connect string after its name", "dsn: scott/⟨tiger⟩@xe\nDATA_SOURCE=scott/⟨tiger⟩@xe\n"),
        Case("connect string with a certain password", "as scott/⟨Iksn71#tgiTY⟩@xe"),
        Case("connection string", "Server=a.example;Database=b;User Id=c;Password=⟨hunter2⟩;Encrypt=true"),
        Case("table", "name,password,note\nbob,⟨hunter2⟩,x\n\"al, ice\",\"⟨se\"\"cret1⟩\",y\n"),
        Case("query in prose", "see https://x.example/?page=2&access_token=⟨x9k2m4p7q1w8⟩#end of it"),
        Case("percent-encoded prose", "see redirect%3Fpassword%3D⟨hunter2⟩%26a%3Db"),
        Case("statement", "client = Client(user='bob', password='⟨hunter2⟩')"),
        Case("arguments", #"request.setHeader("X-Api-Key", "⟨x9k2m4p7q1w8⟩"); request.setMethod("POST", "x")"#),
        Case("values in prose", "09:00:02 Your password is: ⟨Iksn71#tgiTY⟩\nPASSWORD ⟨Lidf24#MwmTK⟩ for it"),
        Case("a code in prose", "⟨733597⟩ is your verification code. Valid for 10 minutes."),
        Case("a code for a user", "Hi Bob. Your code is ⟨733597⟩. Your Acme code: ⟨4821⟩"),
        Case(
            "a code in a plain object",
            #"{"to":"+1","text":"Your OTP is ⟨733597⟩, valid for 5 minutes","n": 123456}"#
        ),
        Case("a short code in a plain object", #"{"text":"⟨7335⟩ is your Acme code.","size": 1234}"#),
        Case("a passcode", #"{"text":"Your one-time passcode is ⟨733597⟩"}"#),
        Case("a code to use", "Use ⟨733597⟩ to sign in. Enter ⟨4821⟩ as your Acme code."),
        Case("a code of a site", "⟨733597⟩ is your Acme code and expires soon"),
        Case("a connect string in a plain object", #"{"dsn":"scott/⟨tiger⟩@xe","at":"a/b@c"}"#),
        Case("a code to use in a plain object", #"{"text":"Use ⟨733597⟩ to log in","n": 12}"#),
        Case("a connection string", #"{"connectionString":"HostName=x.example;Id=a;SharedAccessKey=⟨x9k2m4p7q1w8⟩"}"#),
        Case("a short option", "docker login -u ci -p ⟨wJQZhKXecEkX4UeYrusDQ40g⟩ registry.example.com"),
        Case("a parameter in credentials", "curl -H 'Authorization: Bearer x/a:b@c/?access_token=⟨d⟩"),
        Case("credentials amid prose", "sending header Authorization: Bearer ⟨x9k2m4p7q1w8⟩ to upstream"),
        Case("statement in SQL", "ALTER USER app PASSWORD '⟨kDnjEJDSqoEREezo⟩'; SET password 'required'"),
        Case("netrc in lines", "machine x.example\n  login bob\n  password ⟨IJcuDUoiVBRMztb⟩\nmachine y.example\n"),
        Case("netrc", "machine x.example login bob password ⟨hunter2⟩"),
    ]

    static let encoded = [
        Case("user and password", #"{"a":"⟨Ym9iOngyazltNHA3cTF3OA==⟩"}"#),
        Case("JSON", #"{"a":"⟨eyJwYXNzd29yZCI6Imh1bnRlcjIifQ==⟩","b":"eyJvZmZzZXQiOjEwLCJhIjoiYiJ9"}"#),
        Case("form", "⟨dXNlcj1ib2ImcGFzc3dvcmQ9aHVudGVyMg⟩"),
        Case("XML", #"{"a":"⟨PGE-PFBhc3N3b3JkPmh1bnRlcjI8L1Bhc3N3b3JkPjwvYT4⟩"}"#),
        Case("gzip", "⟨H4sIAAAAAAACA6tWKkgsLi7PL0pRslLKKM0rSS0yUqoFALPZbSUWAAAA⟩ end"),
        Case("data URL", "data:application/json;base64,⟨eyJwYXNzd29yZCI6Imh1bnRlcjIifQ==⟩"),
    ]

    @Test(arguments: objects + markup + lines + encoded)
    func findsSecrets(_ example: Case) throws {
        let body = Array(example.plain.utf8)
        let cuts = DecodedViews.cuts(in: body, kind: .unknown, rules: .standard)
        #expect(apply(cuts, to: body) == example.expected)
        #expect(cuts.allSatisfy { $0.range.upperBound <= body.count })
    }

    @Test(arguments: objects + markup + lines + encoded)
    func findsNothingTwice(_ example: Case) throws {
        let output = try BodyRedactions.redact(example.plain, type: "text/plain")
        #expect(output.text == example.expected)
        let again = try BodyRedactions.redact(output.text, type: "text/plain")
        #expect(again.text == output.text)
        #expect(again.count == 0)
    }

    @Test(arguments: objects + markup + lines + encoded)
    func outputIsIndependentOfSplits(_ example: Case) throws {
        let body = Array(example.plain.utf8)
        for type in ["application/json", "text/event-stream", "application/x-ndjson", "text/html"] {
            let whole = try BodyRedactions.redact(example.plain, type: type)
            for places in BodyRedactions.splits(body.count) {
                let pieces = BodyRedactions.pieces(body, cutAt: places)
                let output = try BodyRedactions.redact(pieces, headers: ["Content-Type: \(type)"])
                #expect(output.bytes == whole.bytes, "\(type) cut at \(places)")
                #expect(output.pieces.count == pieces.count, "\(type) cut at \(places)")
            }
        }
    }

    @Test(arguments: [TextEncoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
    func writesMarkersInEncodingOfText(_ encoding: TextEncoding) throws {
        let body = encoding.encoded(Array(#"{"password":"hunter2","a":"b"}"#.utf8))
        let output = try BodyRedactions.redact([body], headers: [])
        #expect(output.bytes == encoding.encoded(Array(#"{"password":"[redacted]","a":"b"}"#.utf8)))
    }

    /// A body that can be read in UTF-16 and in UTF-8 has markers in both encodings. Fuzzers found these bodies.
    @Test(arguments: [
        ("\u{FF}\u{FE}<\0p\0a\0s\0s\0\0<password>\0u", "application/xml; charset=utf-16"),
        (
            "a=b&<\0p\0a\0BBasic dssword%42%3A%x2%222\u{DB}\u{C1}D&password=c",
            "application/x-www-form-urlencoded"
        ),
    ])
    func markersInBothEncodingsStay(latin1: String, type: String) throws {
        var body = latin1.unicodeScalars.map { UInt8($0.value) }
        var output = body
        // In such malformed text, a marker changes how the rest is read, so that another search can find more.
        for _ in 0..<body.count {
            body = output
            output = try BodyRedactions.redact([body], headers: ["Content-Type: \(type)"]).bytes
        }
        #expect(output == body)
        #expect(output.count < 200)
    }

    @Test func findsSecretsInEachEvent() throws {
        let body = """
            data: {"a":"{\\"name\\":\\"API_KEY\\",\\"value\\":\\"x9k2m4p7q1w8\\"}"}

            event: x
            data: {"headers":[{"name":"X-Api-Key",
            data: "value":"x9k2m4p7q1w8"}]}


            """
        let expected = body.replacing("x9k2m4p7q1w8", with: "[redacted]")
        #expect(try BodyRedactions.redact(body, type: "text/event-stream").text == expected)
    }

    @Test func scansBodiesOverBudgetWithoutViews() throws {
        let filler = String(repeating: "a b ", count: DecodedViews.budget / 4)
        let output = try BodyRedactions.redact("\(filler)\npassword: hunter2\npassword=\"hunter2\"", type: "text/plain")
        #expect(output.text.hasSuffix("\npassword: hunter2\npassword=\"[redacted]\""))
    }

    static let innocent = [
        "stopped with error code 482913, bank code 10070024",
        "your code is 2000 lines long, your zip code is 90210, the error code is 404000",
        #"{"cookies":[{"name":"lang","value":"de"}]}"#,
        "token:software:totp", #"{"factorType":"token:software:totp"}"#,
        #"{"name":"password","type":"string","description":"Your password"}"#,
        #"{"field":"password","message":"is required","code":"blank"}"#,
        #"{"id":"VXNlcjoxMjM0NTY3ODk=","cursor":"Y3Vyc29yOnYyOpHOAAAB","next":"eyJvZmZzZXQiOjEwfQ=="}"#,
        "Note: the password must have 8 characters. Enter the password: it is required.",
        "<label for=password>Password</label><a href=\"/password/reset\">Forgot password?</a>",
        "openapi: 3.0.0\npaths:\n  /login:\n    schema:\n      password:\n        type: string\n",
        "password: ${DB_PASSWORD}\ntoken: {{ .Values.token }}\nsecret: null\n",
        "uses: actions/checkout@v4, users/alice@example.com, pkg:npm/lodash@4.17.21, lunch/dinner@10:30",
        "registry.example:5000/app@sha256:40c7064f docker://alpine:3.18@sha256:40c7064f avatars/9f8e7d6c@2x.png",
        "connect username/password@host, https://x.example:80/#/@a, http://x:${PORT}/Ab1@c http://[::1]:80/a@b",
        "Sign up\n  login page1\npassword reset1\n",
        "use 2048 to get better results, enter 8080 to connect, use 12345 as the port",
        "time: 12:30:45\nurl: https://x.example:8080/a@b\nuser@host:path\n",
        "name,email\nbob,bob@x.example\n",
        "<tr><th>Password</th><th>Email</th></tr><tr><td>Password</td><td>Email</td></tr>",
        #"{"h":"Authorization: Bearer <token>","i":"Bearer YOUR_TOKEN"}"#,
        "left-pad@1.3.0:\n  digest sha256:40c7064f4811e9cc5a3fdaeb7f9ea1dc89f436942c35d33d2ea04750b5de639b\n",
        #"{"id":"chatcmpl-AbCd1234EfGh","choices":[{"type":"token","text":"hello"}]}"#,
        "if password == other { return }\nlet password = readPassword()\n",
        "password = getPassword()\nsecret = os.Getenv(\"SECRET\")\nmessage Login {\n  string password = 12;\n}\n",
        "curl -H 'Authorization: Bearer YOUR_TOKEN' 'https://api.example.com/?api_key=YOUR_KEY'\npassword=********\n",
    ]

    @Test(arguments: innocent)
    func leavesOtherTextUnchanged(_ text: String) {
        let body = Array(text.utf8)
        #expect(apply(DecodedViews.cuts(in: body, kind: .unknown, rules: .standard), to: body) == text)
    }

    private func apply(_ cuts: [Cut], to body: [UInt8]) -> String {
        var pieces = HeldPieces()
        pieces.cuts = cuts
        pieces.append(body)
        let output = pieces.release(upTo: body.count, isLast: true, Redaction.standard.replacement).pieces
        return String(decoding: Array(output.joined()), as: UTF8.self)
    }
}
