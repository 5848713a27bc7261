// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

@testable import RepriseConnections

@Suite struct EncodedRequestTests {
    private static let origin = Origin(isSecure: false, host: "example.com", port: 80)
    typealias Field = OutgoingRequest.Field

    @Test(
        arguments: [
            (Origin(isSecure: false, host: "example.com", port: 80), "example.com"),
            (Origin(isSecure: true, host: "example.com", port: 443), "example.com"),
            (Origin(isSecure: true, host: "example.com", port: 80), "example.com:80"),
            (Origin(isSecure: false, host: "::1", port: 8080), "[::1]:8080"),
            (Origin(isSecure: false, host: "fe80::1%eth0", port: 80), "[fe80::1]"),
        ]
    )
    func writesHostFirst(origin: Origin, host: String) throws {
        let request = OutgoingRequest("GET", "/a?b", at: origin, fields: [Field("a", "1"), Field("A", " 2 ")])
        #expect(try text(request) == "GET /a?b HTTP/1.1\r\nHost: \(host)\r\na: 1\r\nA:  2 \r\n\r\n")
    }

    @Test func writesFieldsAsGiven() throws {
        var request = OutgoingRequest("GET", "/", at: Self.origin, fields: [Field("x", ""), Field("hOST", "other")])
        #expect(try text(request) == "GET / HTTP/1.1\r\nx: \r\nhOST: other\r\n\r\n")
        request.fields = []
        request.authority = "third:1"
        #expect(try text(request) == "GET / HTTP/1.1\r\nHost: third:1\r\n\r\n")
    }

    @Test(
        arguments: [
            ("GET", OutgoingBody.none, [], ""), ("POST", .none, [], "Content-Length: 0\r\n"),
            ("PUT", .none, [], "Content-Length: 0\r\n"), ("PATCH", .none, [], "Content-Length: 0\r\n"),
            ("DELETE", .none, [], ""), ("GET", .bytes([]), [], "Content-Length: 0\r\n"),
            ("POST", .bytes([1, 2]), [], "Content-Length: 2\r\n"),
            ("POST", .pieces(["a"], length: 3), [], "Content-Length: 3\r\n"),
            ("POST", .pieces(["a"]), [], "Transfer-Encoding: chunked\r\n"),
            ("POST", .pieces(["a"]), [Field("content-length", "7")], "content-length: 7\r\n"),
            ("POST", .bytes([1]), [Field("Transfer-Encoding", "chunked")], "Transfer-Encoding: chunked\r\n"),
            ("POST", .none, [Field("Content-Length", "0")], "Content-Length: 0\r\n"),
        ] as [(String, OutgoingBody, [Field], String)]
    )
    func framesBody(method: String, body: OutgoingBody, fields: [Field], line: String) throws {
        let request = OutgoingRequest(method, "/", at: Self.origin, fields: fields, body: body)
        let head = try text(request).prefix { $0 != "\u{1}" }
        #expect(head == "\(method) / HTTP/1.1\r\nHost: example.com\r\n\(line)\r\n")
    }

    @Test(arguments: [("PUT", "/a?b", "http://example.com/a?b"), ("OPTIONS", "*", "http://example.com")])
    func forwardsCompleteHeadInAbsoluteForm(method: String, target: String, absolute: String) throws {
        let request = OutgoingRequest(method, target, at: Self.origin, fields: [Field("a", "1")], body: .bytes([1]))
        let proxy = Proxy(origin: Origin(isSecure: false, host: "proxy", port: 1), authorization: "Basic eA==")
        let encoded = try EncodedRequest(request).forwarded(by: proxy, to: Self.origin)
        let fields = "Host: example.com\r\na: 1\r\nContent-Length: 1\r\nProxy-Authorization: Basic eA==\r\n\r\n"
        #expect(
            String(decoding: encoded.head.text, as: UTF8.self) == "\(method) \(absolute) HTTP/1.1\r\n\(fields)\u{1}"
        )
        #expect(encoded.head.framing == .length(1))
        #expect(encoded.head.content == [1])
    }

    @Test func joinsSmallBodyToHead() throws {
        let limit = EncodedRequest.joinedBodySize
        for (size, isJoined) in [(1, true), (limit, true), (limit + 1, false)] {
            let body = [UInt8](repeating: 1, count: size)
            let encoded = try EncodedRequest(OutgoingRequest("PUT", "/", at: Self.origin, body: .bytes(body)))
            #expect((encoded.head.text.suffix(size) == body[...]) == isJoined)
            if case .none = encoded.body { #expect(isJoined) } else { #expect(!isJoined) }
        }
    }

    @Test(
        arguments: [
            ("GET", true), ("HEAD", true), ("PUT", true), ("DELETE", true), ("OPTIONS", true), ("POST", false),
            ("PATCH", false), ("get", false),
        ]
    )
    func classifiesIdempotentMethods(method: String, isIdempotent: Bool) throws {
        let encoded = try EncodedRequest(OutgoingRequest(method, "/", at: Self.origin))
        #expect(encoded.traits.isIdempotent == isIdempotent)
        #expect(encoded.canBeSentAgain)
    }

    @Test func derivesTraitsFromFields() throws {
        let fields = [Field("Expect", "100-continue"), Field("Connection", "close, Upgrade"), Field("Upgrade", "x")]
        let request = OutgoingRequest("POST", "/", at: Self.origin, fields: fields, body: .bytes([1]))
        let traits = try EncodedRequest(request).traits
        #expect(traits.awaitsContinue)
        #expect(!traits.isKeepAlive)
        #expect(traits.asksForUpgrade)
        #expect(traits.framing == .length(1))
    }

    // MARK: Invalid requests

    @Test(arguments: [
        "", "no", "http://example.com/", "/a b", "/a\r\nX: y", "/\n", "/\u{0}", "/a#b", "/ HTTP/1.1\r\nX: y\r\n", "*",
        "//\u{7F}", "?a",
    ])
    func rejectsInvalidTargets(target: String) {
        expectInvalid(OutgoingRequest("GET", target, at: Self.origin), target.isEmpty ? "target" : nil)
    }

    @Test(arguments: ["", "G T", "GET\r\n", "\r\nGET", "GET /x HTTP/1.1\r\nA:", "CONNECT", "GÉT", "GET:"])
    func rejectsInvalidMethods(method: String) {
        expectInvalid(OutgoingRequest(method, "/", at: Self.origin))
        expectInvalid(OutgoingRequest(method, "example.com:80", at: Self.origin))
    }

    @Test(arguments: [
        ("A", "b\r\nC: d"), ("A", "b\r\n\r\nGET / HTTP/1.1"), ("A", "b\n"), ("A", "b\r"), ("A", "\u{0}"),
        ("A", "\u{7F}"), ("A: b\r\nC", "d"), ("A: b", "c"), ("", "x"), ("A ", "x"), (" A", "x"), ("Ä", "x"),
        ("A\r\n", "x"), ("Host", ""), ("Host", "a b"), ("Host", "a\r\n"), ("Content-Length", "5"),
        ("Content-Length", "x"), ("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "gzip"), ("Expect", "cake"),
    ])
    func rejectsInvalidFields(name: String, value: String) {
        // An empty Host is allowed.
        if name == "Host", value.isEmpty { return }
        expectInvalid(OutgoingRequest("GET", "/", at: Self.origin, fields: [Field(name, value)]))
    }

    @Test func rejectsContradictions() {
        let twice = [Field("Content-Length", "1"), Field("Content-Length", "1")]
        let both = [Field("Content-Length", "1"), Field("Transfer-Encoding", "chunked")]
        let hosts = [Field("Host", "a"), Field("Host", "b")]
        for fields in [twice, both, hosts, [Field("Content-Length", "2")]] {
            expectInvalid(OutgoingRequest("POST", "/", at: Self.origin, fields: fields, body: .bytes([1])))
        }
        expectInvalid(OutgoingRequest("POST", "/", at: Self.origin, body: .pieces([], length: -1)))
    }

    @Test(arguments: ["a b", "a\r\nX: y", "", "a/b", "user@a"]) func rejectsInvalidHosts(host: String) {
        expectInvalid(OutgoingRequest("GET", "/", at: Origin(isSecure: false, host: host, port: 81)))
        var request = OutgoingRequest("GET", "/", at: Self.origin)
        request.authority = host.isEmpty ? "\n" : host
        expectInvalid(request)
    }

    @Test func errorNamesInvalidField() {
        let request = OutgoingRequest("GET", "/", at: Self.origin, fields: [Field("X-A", "a\r\nb")])
        expectInvalid(request, "the value of X-A contains a line break or another control character: \"a\\r\\nb\"")
    }

    // MARK: Support

    private func text(_ request: OutgoingRequest) throws -> String {
        String(decoding: try EncodedRequest(request).head.text, as: UTF8.self)
    }

    private func expectInvalid(_ request: OutgoingRequest, _ message: String? = nil) {
        do throws(ConnectionError) {
            let encoded = try EncodedRequest(request)
            Issue.record("\(String(decoding: encoded.head.text, as: UTF8.self).debugDescription) was accepted")
        } catch {
            #expect(error.name == "invalidRequest")
            if let message { #expect(error.message.contains(message)) }
        }
    }
}
