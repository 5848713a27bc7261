// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTestSupport
import Testing

extension ConformanceCase {
    static let heads: [ConformanceCase] = [
        ConformanceCase("preserves the bytes of the head") { subject in
            let wire = Array(
                """
                HTTP/1.1 200 Very  Fine\r\nx-b:  1\r\nX-a:   2 \t\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\
                X-Empty:\r\nContent-Length: 0\r\n
                """.utf8
            )
            let server = try await subject.server()
            async let response = subject.transport.send(server.request())
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send(wire + Array("\r\n".utf8))
            #expect(try await response.rawHead?.bytes == wire)
        },
        ConformanceCase("accepts fields without whitespace after the colon") { subject in
            let response = try await subject.answer(
                with: "HTTP/1.1 200 OK\r\nContent-Length:2\r\n\r\nok",
                or: .text("ok")
            )
            #expect(try await response.text() == "ok")
        },
        ConformanceCase("accepts field values that are not UTF-8") { subject in
            let server = try await subject.server()
            async let response = subject.transport.send(server.request())
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("HTTP/1.1 200 OK\r\nX-Latin: caf")
            try await connection.send([0xE9])
            try await connection.send("\r\nContent-Length: 0\r\n\r\n")
            #expect(try await response.headers[.init("X-Latin")!]?.hasPrefix("caf") == true)
        },
        ConformanceCase("keeps fields with the same name separate", isForStubs: true) { subject in
            let response = try await subject.answer(
                with: """
                    HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\nVary: A\r\n\
                    Set-Cookie: b=2\r\nVary: B, C\r\nContent-Length: 0\r\n\r\n
                    """,
                or: .status(.ok)
                    .header("Set-Cookie", "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT").header("Vary", "A")
                    .header("Set-Cookie", "b=2").header("Vary", "B, C")
            )
            let cookies = response.headers[fields: .setCookie].map(\.value)
            #expect(cookies == ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"])
            #expect(response.headers[fields: .vary].map(\.value) == ["A", "B, C"])
        },
        ConformanceCase("preserves the order and spelling of field names", isForStubs: true) { subject in
            let response = try await subject.answer(
                with: "HTTP/1.1 200 OK\r\nx-Zeta: 1\r\nContent-Length: 0\r\nX-ALPHA: 2\r\n\r\n",
                or: .status(.ok).header("x-Zeta", "1").header("Content-Length", "0").header("X-ALPHA", "2")
            )
            #expect(response.headers.map(\.name.rawName) == ["x-Zeta", "Content-Length", "X-ALPHA"])
        },
        ConformanceCase("skips interim responses") { subject in
            let response = try await subject.answer(
                with: """
                    HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n\
                    HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok
                    """,
                or: .status(.ok)
            )
            #expect(response.status.code == 200)
            #expect(response.headers[.init("X-A")!] == "1")
            #expect(response.headers[.init("Link")!] == nil)
            #expect(try await response.text() == "ok")
        },
        ConformanceCase("returns any status") { subject in
            for status in [200, 201, 299, 402, 404, 418, 500, 503, 599] {
                let response = try await subject.answer(
                    with: "HTTP/1.1 \(status) Whatever\r\nContent-Length: 2\r\n\r\nok",
                    or: .text("ok", status: .init(code: status))
                )
                #expect(response.status.code == status)
                #expect(try await response.text() == "ok")
            }
        },
        ConformanceCase("returns a 401 with its challenge", isForStubs: true) { subject in
            let response = try await subject.answer(
                with: """
                    HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 4\r\n\r\nwho?
                    """,
                or: .text("who?", status: .unauthorized).header("WWW-Authenticate", "Basic realm=\"x\"")
            )
            #expect(response.status == .unauthorized)
            #expect(response.headers[.wwwAuthenticate] == "Basic realm=\"x\"")
            #expect(try await response.text() == "who?")
        },
        ConformanceCase("returns a 401 with any challenge", isForStubs: true) { subject in
            for challenge in ["Bearer", "Negotiate, Basic realm=x", "DPoP error=\"use_dpop_nonce\"", ""] {
                let response = try await subject.answer(
                    with:
                        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 4\r\n\r\nwho?",
                    or: .text("who?", status: .unauthorized)
                )
                #expect(response.status == .unauthorized)
                #expect(try await response.text() == "who?")
            }
        },
        ConformanceCase("expects no content after HEAD, 204, and 304", isForStubs: true) { subject in
            for (method, status) in [(HTTPRequest.Method.head, 200), (.get, 204), (.get, 304), (.head, 404)] {
                // Content-Length is allowed in responses to HEAD and in a 304 (RFC 9110 section 8.6).
                let length = status == 204 ? "" : "Content-Length: 5\r\n"
                let response = try await subject.answer(
                    to: method,
                    with: "HTTP/1.1 \(status) Fine\r\n\(length)\r\n",
                    or: .text("hello", status: .init(code: status))
                )
                #expect(response.status.code == status)
                #expect(try await response.body.collect().isEmpty)
                #expect(response.ending == .complete)
            }
        },
        ConformanceCase("accepts empty content", isForStubs: true) { subject in
            for framing in ["Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"] {
                let response = try await subject.answer(with: "HTTP/1.1 200 OK\r\n\(framing)", or: .status(.ok))
                #expect(try await response.body.collect().isEmpty)
                #expect(response.ending == .complete)
            }
        },
        ConformanceCase("joins folded lines with a space") { subject in
            let response = try await subject.answer(
                with: "HTTP/1.1 200 OK\r\nX-Folded: one\r\n  two\r\nContent-Length: 2\r\n\r\nok",
                or: .text("ok")
            )
            #expect(response.headers[.init("X-Folded")!] == "one two")
            #expect(try await response.text() == "ok")
        },
        ConformanceCase("rejects invalid HTTP") { subject in
            let smuggling = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc"
            for wire in ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 abc\r\nContent-Length: 0\r\n\r\n", smuggling] {
                let error = await #expect(throws: TransportError.self) {
                    try await subject.answer(with: wire, andCloses: true, or: .status(.ok)).body.collect()
                }
                #expect(error?.code == .malformedResponse)
            }
        },
    ]
}
