// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseLocking
import RepriseTestSupport
import Testing

extension ConformanceCase {
    static let redirections: [ConformanceCase] = [
        ConformanceCase("follows 301, 302, and 303 after POST with GET", isForStubs: true) { subject in
            for status in [301, 302, 303] {
                let seen = try await redirected(subject, status, .post, body: "content")
                #expect(seen.method == "GET")
                #expect(seen.text.isEmpty)
                #expect(seen["Content-Type"] == nil)
            }
        },
        ConformanceCase("follows 307 and 308 with the same method and body", isForStubs: true) { subject in
            for status in [307, 308] {
                let seen = try await redirected(subject, status, .put, body: "content")
                #expect(seen.method == "PUT")
                #expect(seen.text == "content")
                #expect(seen["Content-Type"] == "text/plain")
            }
        },
        ConformanceCase("preserves the method of other requests", isForStubs: true) { subject in
            for (status, method) in [(301, HTTPRequest.Method.delete), (302, .head), (303, .head), (308, .get)] {
                let seen = try await redirected(subject, status, method, body: nil)
                #expect(seen.method == method.rawValue)
            }
        },
        ConformanceCase("preserves credentials for the same origin") { subject in
            let seen = try await redirected(subject, 307, .get, body: nil)
            #expect(seen["Authorization"] == "Bearer secret")
            #expect(seen["Cookie"] == "a=1")
        },
        ConformanceCase("sends no credentials to another origin") { subject in
            let log = Locked<[RawRequest]>([])
            let other = try await subject.keep(
                .answering { request in
                    log.withLock { $0.append(request) }
                    return "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                }
            )
            let port = other.port
            let server = try await subject.keep(
                .answering { _ in
                    "HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:\(port)/b\r\nContent-Length: 0\r\n\r\n"
                }
            )
            let fields: HTTPFields = [.authorization: "Bearer secret", .cookie: "a=1", .accept: "text/plain"]
            let response = try await subject.transport.send(server.request(.get, "/a", fields))
            #expect(try await response.text() == "ok")
            #expect(response.url == "http://127.0.0.1:\(port)/b")
            let seen = try #require(log.withLock { $0 }.first)
            #expect(seen["Authorization"] == nil)
            #expect(seen["Cookie"] == nil)
            #expect(seen["Accept"] == "text/plain")
            #expect(seen["Host"] == "127.0.0.1:\(port)")
        },
        ConformanceCase("doesn't resend a body that can be read only once") { subject in
            let server = try await subject.keep(
                .answering { _ in "HTTP/1.1 307 Moved\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n" }
            )
            let chunks = AsyncStream<[UInt8]> { continuation in
                continuation.yield([1])
                continuation.finish()
            }
            let error = await #expect(throws: TransportError.self) {
                try await subject.transport.send(server.request(.post), body: Body(chunks))
            }
            #expect(error?.code == .requestBody)
        },
        ConformanceCase("ends a redirect loop") { subject in
            let server = try await subject.keep(
                .answering { _ in "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n" }
            )
            let options = RequestOptions(redirects: .follow(limit: 3))
            let error = await #expect(throws: TransportError.self) {
                try await subject.transport.send(server.request(), body: nil, options: options)
            }
            #expect(error?.code == .tooManyRedirects)
        },
        ConformanceCase("returns a redirect that must not be followed") { subject in
            let server = try await subject.keep(
                .answering { _ in "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 4\r\n\r\nmove" }
            )
            for options in [RequestOptions(redirects: .dontFollow)] {
                let response = try await subject.transport.send(server.request(), body: nil, options: options)
                #expect(response.status == .found)
                #expect(response.headers[.location] == "/b")
                #expect(try await response.text() == "move")
            }
        },
        ConformanceCase("returns a redirect without a location") { subject in
            let server = try await subject.keep(
                .answering { _ in "HTTP/1.1 301 Moved Permanently\r\nContent-Length: 4\r\n\r\nmove" }
            )
            let response = try await subject.transport.send(server.request())
            #expect(response.status == .movedPermanently)
            #expect(try await response.text() == "move")
        },
    ]

    /// The request that arrives after a redirect from `/a` to `/b`.
    private static func redirected(
        _ subject: ConformanceSubject,
        _ status: Int,
        _ method: HTTPRequest.Method,
        body: Body?
    ) async throws -> RawRequest {
        var fields: HTTPFields = [.authorization: "Bearer secret", .cookie: "a=1"]
        if body != nil { fields[.contentType] = "text/plain" }
        guard let live = subject.live else {
            return try await stubbed(HTTPRequest(path: "/a", method: method, fields), status, body: body)
        }
        let log = Locked<[RawRequest]>([])
        let server = try await subject.keep(
            .answering { request in
                log.withLock { $0.append(request) }
                return request.target == "/a"
                    ? "HTTP/1.1 \(status) Moved\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
                    : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            }
        )
        let response = try await live.send(server.request(method, "/a", fields), body: body)
        #expect(response.status == .ok)
        #expect(response.url == "http://127.0.0.1:\(server.port)/b")
        return try #require(log.withLock { $0 }.last)
    }

    private static func stubbed(_ request: HTTPRequest, _ status: Int, body: Body?) async throws -> RawRequest {
        let stub = StubTransport {
            $0.on(nil, "/a", .status(.init(code: status)).header("Location", "/b"))
            $0.on(nil, "/b")
        }
        #expect(try await stub.send(request, body: body).status == .ok)
        let last = try #require(stub.requests.last)
        return RawRequest(
            line: "\(last.method) \(last.path) HTTP/1.1",
            fields: last.headers.map { ($0.name.rawName, $0.value) },
            body: last.body
        )
    }
}
