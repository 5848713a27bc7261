// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

@Suite struct RequestParserTests {
    @Test func locatesEachPartOfRequest() throws {
        let input =
            "POST /a%2Fb?c=d&e HTTP/1.1\r\nHost: Example.com:8080\r\nX:  spaced \t\r\ncontent-type: a/b\r\n"
            + "Content-Type: c/d\r\nContent-Length: 3\r\n\r\n"
        let request = try #require(RequestTranscript(input + "abc").requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/a%2Fb?c=d&e")
        #expect(request.form == .origin)
        #expect(request.authority == nil)
        #expect(request.path == "/a%2Fb")
        #expect(request.query == "c=d&e")
        #expect(request.minorVersion == 1)
        #expect(
            request.fields == [
                "Host=Example.com:8080", "X=spaced", "content-type=a/b", "Content-Type=c/d", "Content-Length=3",
            ]
        )
        #expect(request.lines[1] == "X:  spaced \t")
        #expect(request.host == "Example.com:8080")
        #expect(request.contentType == "a/b")
        #expect(request.length == input.utf8.count)
        #expect(request.framing == .length(3))
        #expect(request.body == "abc")
    }

    @Test(
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a", TargetForm.origin, nil, "/", nil, "a"),
            ("GET /?", .origin, nil, "/", "", nil),
            ("GET /a?b?c", .origin, nil, "/a", "b?c", nil),
            ("GET //h/p", .origin, nil, "//h/p", nil, nil),
            ("GET http://u.example/p?q HTTP/1.1\r\nHost: a", .absolute, "u.example", "/p", "q", "u.example"),
            ("GET http://u.example:81", .absolute, "u.example:81", "", nil, "u.example:81"),
            ("GET http://u?q/r?s", .absolute, "u", "", "q/r?s", "u"),
            ("GET a+b-1.2://u/", .absolute, "u", "/", nil, "u"),
            ("CONNECT u:443 HTTP/1.1\r\nHost: a", .authority, "u:443", "", nil, "u:443"),
            ("CONNECT [::1]:443", .authority, "[::1]:443", "", nil, "[::1]:443"),
            ("OPTIONS * HTTP/1.1\r\nHost: a", .asterisk, nil, "*", nil, "a"),
            ("OPTIONS /a", .origin, nil, "/a", nil, nil),
        ] as [(String, TargetForm, String?, String, String?, String?)]
    )
    func splitsTargets(
        _ start: String,
        form: TargetForm,
        authority: String?,
        path: String,
        query: String?,
        host: String?
    ) throws {
        let input = start.contains("HTTP/1.1") ? start : start + " HTTP/1.0"
        let request = try #require(RequestTranscript(input + "\r\n\r\n").requests.first)
        #expect(request.form == form)
        #expect(request.authority == authority)
        #expect(request.path == path)
        #expect(request.query == query)
        #expect(request.host == host)
    }

    @Test(arguments: [
        ("1.1", "", true), ("1.1", "Connection: close", false), ("1.1", "Connection: keep-alive", true),
        ("1.1", "connection: TE ,\tCLOSE", false), ("1.1", "Connection: keep-alive, close", false),
        ("1.1", "Connection: close\r\nConnection: keep-alive", false), ("1.1", "Connection: closed, clos", true),
        ("1.1", "Connection: \"close\"", true), ("1.1", "Connection:", true), ("1.9", "", true),
        ("1.0", "", false), ("1.0", "Connection: Keep-Alive", true), ("1.0", "Connection: keep-alive, close", false),
        ("1.0", "Connection: keep_alive", false), ("1.0", "Connection: xxep-alive", false),
        ("1.0", "Connection: keep-alive\r\nTransfer-Encoding: chunked", false),
        ("1.1", "Transfer-Encoding: chunked", true),
    ])
    func determinesKeepAlive(version: String, line: String, isKeepAlive: Bool) throws {
        let lines = line.isEmpty ? "" : line + "\r\n"
        let transcript = RequestTranscript("GET / HTTP/\(version)\r\nHost: h\r\n\(lines)\r\n")
        #expect(try #require(transcript.requests.first).isKeepAlive == isKeepAlive)
    }

    @Test(arguments: [
        ("1.1", "Content-Length: 1\r\nExpect: 100-continue", true),
        ("1.1", "Expect: 100-Continue\r\nTransfer-Encoding: chunked", true),
        ("1.1", "Content-Length: 1\r\nExpect: 100-continue, 100-continue", true),
        ("1.1", "Content-Length: 1\r\nExpect:", false), ("1.1", "Content-Length: 1", false),
        ("1.1", "Content-Length: 0\r\nExpect: 100-continue", false), ("1.1", "Expect: 100-continue", false),
        ("1.0", "Content-Length: 1\r\nExpect: 100-continue", false),
    ])
    func detectsExpectContinue(version: String, lines: String, expects: Bool) throws {
        let transcript = RequestTranscript("POST / HTTP/\(version)\r\nHost: h\r\n\(lines)\r\n\r\n")
        #expect(try #require(transcript.requests.first).expectsContinue == expects)
    }

    @Test(arguments: [("1.0", 0), ("1.1", 1), ("1.2", 2), ("1.9", 9)])
    func acceptsEveryMinorVersion(version: String, minor: Int) throws {
        let transcript = RequestTranscript("GET / HTTP/\(version)\r\nHost: h\r\n\r\n")
        #expect(try #require(transcript.requests.first).minorVersion == minor)
    }

    @Test(arguments: ["HEAD", "GET", "DELETE", "BREW", "OPTIONS", "TRACE"])
    func consumesBodyOfAnyMethod(method: String) {
        let transcript = RequestTranscript(
            "\(method) / HTTP/1.1\r\nHost: h\r\nContent-Length: 14\r\n\r\nGET /x HTTP/1." + RequestCorpus.get()
        )
        #expect(transcript.requests.map(\.method) == [method, "GET"])
        #expect(transcript.requests.map(\.target) == ["/", "/"])
    }

    @Test func parsesPipelinedRequestsInOrder() {
        let transcript = RequestTranscript(
            RequestCorpus.get("A: 1") + RequestCorpus.chunked("3\r\nabc\r\n0\r\nT: u\r\n\r\n") + "\r\n"
                + RequestCorpus.post("Content-Length: 2", "xy") + RequestCorpus.get("B: 2") + "GET"
        )
        #expect(transcript.requests.map(\.body) == ["", "abc", "xy", ""])
        #expect(transcript.requests.map(\.trailers) == [[], ["T: u"], [], []])
        #expect(transcript.completed == transcript.requests.count)
        #expect(transcript.requests.last?.fields == ["Host=h", "B=2"])
        #expect(transcript.ending == .needsMore(isIdle: false))
    }

    @Test func findsFieldsCaseInsensitively() throws {
        let input = bytes(RequestCorpus.get("aCCept: b", "Accept: c", "Empty:"))
        var parser = RequestParser()
        #expect(try parser.parseHead(input.span))
        #expect(parser.head.firstField(named: "Accept", in: input.span).map { text(input, $0) } == "b")
        #expect(parser.head.firstField(named: "empty", in: input.span)?.isEmpty == true)
        #expect(parser.head.firstField(named: "accep", in: input.span) == nil)
    }

    @Test(arguments: [
        "Xost", "Hos", "Hosts", "Xontent-Length", "ContentXLength", "Content_Length", "Content-Lengths",
        "Xransfer-Encoding",
        "TransferXEncoding", "Transfer_Encoding", "Transfer-Encodings", "X-Transfer-Encoding", "Xonnection",
        "Xxnnection",
        "Xontent-type", "Expects", "Xxpect", "Contend-Length",
    ])
    func ignoresSimilarFieldNames(name: String) throws {
        let transcript = RequestTranscript(RequestCorpus.get("\(name): close, \"x", "Content-Type: y"))
        let request = try #require(transcript.requests.first)
        #expect(request.framing == .none)
        #expect(request.isKeepAlive)
        #expect(request.host == "h")
        #expect(request.contentType == "y")
    }

    @Test func isIdleUntilFirstByteOfRequest() throws {
        let input = bytes("\r\n\r\nG")
        var parser = RequestParser()
        for end in 0..<input.count {
            let isComplete = try parser.parseHead(input.span.extracting(0..<end))
            #expect(!isComplete)
            #expect(parser.isIdle)
        }
        let isComplete = try parser.parseHead(input.span)
        #expect(!isComplete)
        #expect(!parser.isIdle)
        parser.reset()
        #expect(parser.isIdle)
    }

    @Test func resetClearsState() throws {
        let full = bytes(
            "POST http://u/p?q HTTP/1.0\r\nHost: h\r\nContent-Type: t\r\nConnection: close\r\nExpect: 100-continue\r\n"
                + "Content-Length: 5\r\n\r\n"
        )
        let plain = bytes("GET / HTTP/1.0\r\n\r\n")
        var used = RequestParser()
        #expect(try used.parseHead(full.span))
        used.reset()
        #expect(try used.parseHead(plain.span))
        var fresh = RequestParser()
        #expect(try fresh.parseHead(plain.span))
        #expect(RequestTranscript.Request(used.head, in: plain) == .init(fresh.head, in: plain))
    }

    @Test func staysCompleteWhenCalledAgain() throws {
        let input = bytes(RequestCorpus.get())
        var parser = RequestParser()
        #expect(try parser.parseHead(input.span))
        #expect(try parser.parseHead(input.span))
        #expect(parser.head.fields.count == 1)
    }
}
