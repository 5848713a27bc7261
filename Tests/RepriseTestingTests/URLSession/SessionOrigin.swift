// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseServer
import RepriseTesting
import Testing

/// A server that URL sessions talk to, and the cassette of what it answered.
struct SessionOrigin {
    let cassettes = try! TemporaryFolder()
    fileprivate let folder = try! TemporaryFolder()

    fileprivate static let stubs = [
        // Shows what arrived.
        #"""
        {"request": {"urlPathPattern": "/echo.*"}, "response": {"transformers": ["response-template"],
         "body": "{{{request.method}}} {{{request.body}}}|{{{request.headers.X-Key}}}|{{{request.headers.Cookie}}}"}}
        """#,
        #"{"request": {"url": "/news"}, "response": {"body": "one two", "headers": {"X-Kind": ["a", "b"]}}}"#,
        #"{"request": {"url": "/moved"}, "response": {"status": 302, "headers": {"Location": "/echo/there"}}}"#,
        #"""
        {"request": {"urlPath": "/away"}, "response": {"transformers": ["response-template"], "status": 302,
         "headers": {"Location": "{{{request.query.to}}}"}}}
        """#,
        #"""
        {"request": {"url": "/auth"}, "response": {"transformers": ["response-template"],
         "body": "{{{request.headers.Authorization}}}|{{{request.headers.X-Trace}}}"}}
        """#,
        #"{"request": {"url": "/kept"}, "response": {"status": 307, "headers": {"Location": "/echo/there"}}}"#,
        #"""
        {"request": {"url": "/login"}, "response": {"status": 303,
         "headers": {"Location": "/echo/me", "Set-Cookie": ["id=7; Path=/", "theme=dark; Path=/"]}}}
        """#,
        #"""
        {"request": {"url": "/secret"}, "response": {"status": 401, "body": "who are you?",
         "headers": {"WWW-Authenticate": "Basic realm=\"books\""}}}
        """#,
        #"{"request": {"url": "/slow"}, "response": {"body": "late", "fixedDelayMilliseconds": 60000}}"#,
        #"{"request": {"url": "/missing"}, "response": {"status": 404, "body": "no such book"}}"#,
        #"{"request": {"url": "/empty"}, "response": {"status": 204}}"#,
        #"{"request": {"url": "/unchanged"}, "response": {"status": 304}}"#,
        #"{"request": {"url": "/lost"}, "response": {"fault": "EMPTY_RESPONSE"}}"#,
    ]

    /// Runs `use` once with the server, recording a cassette, and once without the server, replaying it.
    ///
    /// - Returns: What `use` returned, which must be the same in both cases.
    func recordAndReplay<Value: Equatable & Sendable>(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ use: (URL, TestCassette) async throws -> Value
    ) async throws -> Value {
        let (url, recorded) = try await record(use)
        let replayed = try await withCassette("books", in: cassettes.url, environment: ["REPRISE_MODE": "replay"]) {
            try await use(url, $0)
        }
        #expect(recorded == replayed, sourceLocation: sourceLocation)
        return recorded
    }

    func record<Value: Sendable>(
        _ use: (URL, TestCassette) async throws -> Value
    ) async throws -> (URL, Value) {
        try await withServer { server in
            try await withCassette("books", in: cassettes.url, environment: ["REPRISE_MODE": "overwrite"]) { cassette in
                (server.url, try await use(server.url, cassette))
            }
        }
    }
}

extension SessionOrigin {
    func withServer<Value>(_ body: (MockServer) async throws -> Value) async throws -> Value {
        for (number, stub) in Self.stubs.enumerated() { try folder.write(stub, to: "mappings/\(number).json") }
        return try await withMockServer(in: folder.url, body)
    }
}

extension Data {
    var text: String { String(decoding: self, as: UTF8.self) }
}
