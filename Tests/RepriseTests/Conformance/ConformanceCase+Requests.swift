// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTestSupport
import Testing

extension ConformanceCase {
    /// Requests on the wire.
    static let requests: [ConformanceCase] = [
        ConformanceCase("sends the target unchanged") { subject in
            for target in ["/a%2Fb/%7Euser/../x?q=%20+%26&&r=", "/a;b=c,d/'(e)*!$:@", "/?", "/%C3%A4%25"] {
                let request = try await seen(subject, path: target)
                #expect(request.target == target)
            }
        },
        ConformanceCase("sends any method") { subject in
            for method in ["GET", "HEAD", "OPTIONS", "DELETE", "PROPFIND", "x-odd"] {
                let request = try await seen(subject, method: HTTPRequest.Method(method)!)
                #expect(request.method == method)
            }
        },
        ConformanceCase("sends a field line for each field") { subject in
            let fields = HTTPFields([
                HTTPField(name: .init("x-Odd-CASE")!, value: "1"), HTTPField(name: .init("X-Two")!, value: "a"),
                HTTPField(name: .accept, value: "text/plain"), HTTPField(name: .init("X-Two")!, value: "b, c"),
                HTTPField(name: .init("X-Empty")!, value: ""),
            ])
            let request = try await seen(subject, fields: fields)
            let sent = request.fields.filter { $0.name.lowercased().hasPrefix("x-") }
            #expect(
                sent.map { "\($0.name): \($0.value)" } == ["x-Odd-CASE: 1", "X-Two: a", "X-Two: b, c", "X-Empty: "]
            )
        },
        ConformanceCase("sends all cookies in one field") { subject in
            var fields: HTTPFields = [.accept: "text/plain", .cookie: "a=1; b=2"]
            fields[.cookie] = "sid=1; theme=dark; lang=en"
            let request = try await seen(subject, fields: fields)
            let cookies = request.fields.filter { $0.name.lowercased() == "cookie" }.map(\.value)
            #expect(cookies == ["sid=1; theme=dark; lang=en"])
        },
        ConformanceCase("adds only the fields of the connection") { subject in
            let request = try await seen(subject)
            let added = Set(request.fields.map { $0.name.lowercased() })
            #expect(added.isSubset(of: ["host", "connection", "accept-encoding"]), "\(added)")
        },
        ConformanceCase("sends the authority as Host") { subject in
            let server = try await subject.server()
            async let response = subject.transport.send(server.request())
            let connection = try await server.accept()
            #expect(try await connection.readRequest()["Host"] == "127.0.0.1:\(server.port)")
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await response.status == .noContent)
        },
        ConformanceCase("sends bodies from memory and from streams") { subject in
            for (body, length) in [
                (Body("content"), 7), (stream("con", "tent"), nil), (stream("content", length: 7), 7),
            ] {
                let request = try await seen(subject, method: .post, body: body)
                #expect(request.text == "content")
                if let length { #expect(request["Content-Length"] == "\(length)") }
            }
        },
        ConformanceCase("sends a body with any method") { subject in
            for method in [HTTPRequest.Method.delete, .options, .init("PROPFIND")!] {
                let request = try await seen(subject, method: method, body: "content")
                #expect(request.text == "content")
            }
        },
        ConformanceCase("fails if the request's body fails") { subject in
            struct Broken: Error {}
            let server = try await subject.server()
            let body = Body(AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Broken()) }, length: 3)
            let error = await #expect(throws: TransportError.self) {
                try await subject.transport.send(server.request(.post), body: body)
            }
            #expect(error?.code == .requestBody)
        },
        ConformanceCase("fails if the request's body has the wrong length") { subject in
            for length in [2, 4] {
                let server = try await subject.server()
                let body = stream("abc", length: length)
                let error = await #expect(throws: TransportError.self) {
                    try await subject.transport.send(server.request(.post), body: body)
                }
                #expect(error?.code == .requestBody)
            }
        },
    ]

    /// The request as the server receives it.
    static func seen(
        _ subject: ConformanceSubject,
        method: HTTPRequest.Method = .get,
        path: String = "/",
        fields: HTTPFields = [:],
        body: Body? = nil
    ) async throws -> RawRequest {
        let server = try await subject.server()
        async let response = subject.transport.send(server.request(method, path, fields), body: body)
        let connection = try await server.accept()
        let request = try await connection.readRequest()
        try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(try await response.status == .noContent)
        return request
    }

    private static func stream(_ texts: String..., length: Int? = nil) -> Body {
        let chunks = AsyncStream<[UInt8]> { continuation in
            for text in texts { continuation.yield(Array(text.utf8)) }
            continuation.finish()
        }
        return Body(chunks, length: length)
    }
}
