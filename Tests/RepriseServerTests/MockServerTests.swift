// SPDX-License-Identifier: Apache-2.0

import RepriseAnswers
import RepriseCassettes
import RepriseFixtures
import RepriseMatching
import RepriseServer
import RepriseTestSupport
import RepriseText
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Requests and answers through a real socket.
@Suite struct MockServerTests {
    private static let hello = Fixture.recorded("https://api.example.com/hello", response: .text("hi"))
    private static let helloBytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    private func request(_ line: String, _ fields: String..., body: String = "") -> String {
        ([line + " HTTP/1.1", "Host: localhost"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    @Test func answersWithRecordedBytes() async throws {
        let fixture = Fixture.recorded(
            "https://api.example.com/x",
            response: RecordedResponse(
                status: 404,
                reason: "Nicht Da",
                headers: ["x-B: 1", "X-A:2", "x-b:   3 ", "Content-Length: 3"].compactMap { HeaderLine($0) },
                content: .body(RecordedBody(.bytes([0, 255, 10])))
            )
        )
        try await withServer([fixture]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request("GET /x"))
            let expected = Array(
                "HTTP/1.1 404 Nicht Da\r\nx-B: 1\r\nX-A:2\r\nx-b:   3 \r\nContent-Length: 3\r\n\r\n".utf8
            )
            #expect(try await client.read(count: expected.count + 3).bytes == expected + [0, 255, 10])
        }
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        let other = Fixture.recorded("https://api.example.com/other", response: .text("other"))
        try await withServer([Self.hello, other]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request("GET /hello") + request("GET /other") + request("GET /hello"))
            let text = try await client.read(count: 2 * 40 + 43).text
            #expect(text.hasPrefix(Self.helloBytes + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother"))
        }
    }

    @Test func answersRequestSentByteByByte() async throws {
        let fixture = Fixture.recorded("https://api.example.com/p", method: "POST", body: "abc", response: .text("ok"))
        try await withServer([fixture]) { server in
            let client = try await RawClient.connect(port: server.port)
            let whole = request("POST /p", "Content-Length: 3", body: "abc")
            try await client.send(Array(whole.utf8), inPiecesOf: 1)
            #expect(try await client.read(until: "ok").text == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
    }

    @Test func answersHEADFromGETWithoutAdvancingSequence() async throws {
        try await withServer([Self.hello]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request("HEAD /hello") + request("GET /hello"))
            let text = try await client.read(until: "hi").text
            #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + Self.helloBytes)
            let journal = await server.journal
            #expect(journal.entries.map(\.ordinal) == [0, 1])
        }
    }

    @Test func sends100ContinueBeforeContent() async throws {
        let fixture = Fixture.recorded("https://api.example.com/p", method: "POST", body: "abc", response: .text("ok"))
        try await withServer([fixture]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request("POST /p", "Content-Length: 3", "Expect: 100-continue"))
            #expect(try await client.read(until: "\r\n\r\n").text == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("abc")
            #expect(try await client.read(until: "ok").text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }

    @Test func readsChunkedContent() async throws {
        let fixture = Fixture.recorded(
            "https://api.example.com/p",
            method: "POST",
            body: "abcde",
            response: .text("ok")
        )
        try await withServer([fixture]) { server in
            let client = try await RawClient.connect(port: server.port)
            let body = "2;x=y\r\nab\r\n3\r\ncde\r\n0\r\nX-T: 1\r\n\r\n"
            try await client.send(request("POST /p", "Transfer-Encoding: chunked", body: body))
            #expect(try await client.read(until: "ok").text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            let entry = try #require(await server.journal.entries.first)
            #expect(String(decoding: entry.content, as: UTF8.self) == "abcde")
        }
    }

    @Test func closesAfterAnsweringHTTP10Client() async throws {
        let fixture = Fixture.recorded("https://api.example.com/s", response: .stream([(0, "one"), (0, "two")]))
        try await withServer([fixture]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send("GET /s HTTP/1.0\r\n\r\n")
            #expect(try await client.readToEnd().text == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nonetwo")
            #expect(client.ending == .finished)
        }
    }

    @Test func honorsConnectionCloseOfClient() async throws {
        try await withServer([Self.hello]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request("GET /hello", "Connection: close"))
            let text = try await client.readToEnd().text
            #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
        }
    }

    @Test func answersHalfClosedClient() async throws {
        let fixture = Fixture.recorded("https://api.example.com/s", response: .stream([(0, "one"), (40, "two")]))
        try await withServer([fixture]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request("GET /s"))
            await client.finishWriting()
            #expect(try await client.readToEnd().text.hasSuffix("3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"))
        }
    }

    @Test func rejectsMissingHostOnceAndCloses() async throws {
        try await withServer([Self.hello]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send("GET /hello HTTP/1.1\r\n\r\n" + request("GET /hello"))
            let text = try await client.readToEnd().text
            #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(text.contains("\r\nConnection: close\r\n"))
            #expect(text.components(separatedBy: "\r\n\r\n").count == 2)
            #expect(client.ending == .finished)
        }
    }

    @Test func consumesBodyOfUnknownMethod() async throws {
        try await withServer([Self.hello]) { server in
            let client = try await RawClient.connect(port: server.port)
            let smuggled = request("GET /smuggled")
            let brew = request("BREW /pot", "Content-Length: \(smuggled.utf8.count)", body: smuggled)
            try await client.send(brew + request("GET /hello"))
            let text = try await client.read(until: "\r\n\r\nhi").text
            #expect(text.components(separatedBy: "HTTP/1.1 ").count == 3)
            #expect(await server.journal.entries.map(\.target) == ["/pot", "/hello"])
        }
    }

    @Test func repeatsLastAnswerOfSequence() async throws {
        let fixtures = ["one", "two"].map { Fixture.recorded("https://api.example.com/n", response: .text($0)) }
        try await withServer(fixtures) { server in
            let client = try await RawClient.connect(port: server.port)
            for expected in ["one", "two", "two"] {
                try await client.send(request("GET /n"))
                #expect(try await client.read(until: "\r\n\r\n" + expected).text.hasSuffix(expected))
            }
            #expect(await server.journal.entries.map(\.ordinal) == [1, 2, 3])
        }
    }

    @Test func restartsOrMissesAfterLastAnswerWhenConfigured() async throws {
        let fixtures = ["one", "two"].map { Fixture.recorded("https://api.example.com/n", response: .text($0)) }
        try await withServer(fixtures, configure: { $0.afterLast = .restart }) { server in
            let client = try await RawClient.connect(port: server.port)
            for expected in ["one", "two", "one"] {
                try await client.send(request("GET /n"))
                _ = try await client.read(until: "\r\n\r\n" + expected)
            }
        }
        try await withServer(fixtures, configure: { $0.afterLast = .miss }) { server in
            let client = try await RawClient.connect(port: server.port)
            for status in ["200 OK", "200 OK", "404 Not Found"] {
                try await client.send(request("GET /n", "Connection: keep-alive"))
                #expect(try await client.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 \(status)"))
                if status == "200 OK" { _ = try await client.read(count: 3) }
            }
        }
    }

    /// Each request of a sequence gets its own ordinal, whichever loop receives it.
    @Test func countsOrdinalsAcrossLoops() async throws {
        let fixtures = (1...200).map { Fixture.recorded("https://api.example.com/n", response: .text("<\($0)>")) }
        try await withServer(fixtures, configure: { $0.threads = 4 }) { server in
            let answers = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let client = try await RawClient.connect(port: server.port)
                        var answers: [String] = []
                        for _ in 0..<10 {
                            try await client.send(request("GET /n"))
                            _ = try await client.read(until: "\r\n\r\n")
                            answers.append(try await client.read(until: ">").text)
                        }
                        return answers
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(answers) == Set((1...200).map { "<\($0)>" }))
            #expect(Set(await server.journal.entries.map(\.ordinal)) == Set(1...200))
        }
    }

    @Test func explainsMissAsTextOrJSON() async throws {
        try await withServer([Self.hello]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request("GET /hallo"))
            let text = try await client.read(until: "\r\n\r\n").text
            #expect(text.hasPrefix("HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\n"))
            let other = try await RawClient.connect(port: server.port)
            try await other.send(request("GET /hallo", "Accept: application/json", "Connection: close"))
            #expect(try await other.readToEnd().text.contains("\r\nContent-Type: application/problem+json\r\n"))
        }
    }

    @Test(arguments: ["Accept: text/plain", "Accept: application/json"])
    func missContainsNoSecrets(accept: String) async throws {
        try await withServer([Self.hello]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request("GET /hallo?page=2&api_key=5ecret", accept, "Connection: close"))
            let answer = try await client.readToEnd().text
            #expect(answer.contains("/hallo?page=2&api_key="))
            #expect(!answer.contains("5ecret"))
        }
    }

    @Test func answersOPTIONSWithAllowedMethods() async throws {
        try await withServer([Self.hello]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request("OPTIONS /hello"))
            let text = try await client.read(until: "\r\n\r\n").text
            #expect(text.hasPrefix("HTTP/1.1 204 No Content\r\nAllow: GET"))
            try await client.send(request("OPTIONS *"))
            #expect(try await client.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 204 No Content\r\nAllow: "))
        }
    }

    @Test func sendsCrossOriginFieldsWhenEnabled() async throws {
        try await withServer([Self.hello], configure: { $0.isCrossOriginAllowed = true }) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(
                request(
                    "OPTIONS /hello",
                    "Origin: http://localhost:3000",
                    "Access-Control-Request-Method: PUT",
                    "Access-Control-Request-Headers: x-token, content-type"
                )
            )
            let preflight = try await client.read(until: "\r\n\r\n").text
            #expect(preflight.hasPrefix("HTTP/1.1 204 No Content\r\n"))
            #expect(preflight.contains("Access-Control-Allow-Origin: http://localhost:3000\r\n"))
            #expect(preflight.contains("PUT"))
            #expect(preflight.contains("Access-Control-Allow-Headers: x-token, content-type\r\n"))
            try await client.send(request("GET /hello", "Origin: http://localhost:3000"))
            let answer = try await client.read(until: "\r\n\r\n").text
            #expect(answer.contains("Access-Control-Allow-Origin: http://localhost:3000\r\n"))
            #expect(answer.contains("Access-Control-Allow-Credentials: true\r\n"))
            _ = try await client.read(until: "hi")
            #expect(answer.contains("Access-Control-Expose-Headers: Content-Length\r\n"))
            #expect(answer.contains("Vary: Origin\r\n"))
            // Even without Origin: a browser must not reuse this answer for a page of another origin.
            try await client.send(request("GET /hello"))
            #expect(try await client.read(until: "\r\n\r\nhi").text.contains("\r\nVary: Origin\r\n"))
            let refused = request(
                "POST /hello",
                "Origin: http://localhost:3000",
                "Transfer-Encoding: chunked",
                body: "x"
            )
            for hostile in [
                request("GET /missing", "Origin: http://localhost:3000", "Connection: close"), refused + "\r\n",
            ] {
                let client = try await RawClient.connect(port: server.port)
                try await client.send(hostile)
                #expect(
                    try await client.readToEnd().text.contains("Access-Control-Allow-Origin: http://localhost:3000\r\n")
                )
            }
        }
    }

    @Test func reloadsWithoutDroppingConnections() async throws {
        try await withServer([Self.hello], configure: { $0.threads = 2 }) { server in
            var clients: [RawClient] = []
            for _ in 0..<8 { clients.append(try await RawClient.connect(port: server.port)) }
            for client in clients {
                try await client.send(request("GET /hello"))
                _ = try await client.read(until: "\r\n\r\nhi")
            }
            let changed = Fixture.recorded("https://api.example.com/hello", response: .text("new"))
            try await server.reload(fixtures: [changed])
            for client in clients {
                try await client.send(request("GET /hello"))
                _ = try await client.read(until: "\r\n\r\nnew")
            }
            let entries = await server.journal.entries
            #expect(entries.map(\.ordinal) == Array(1...8) + Array(1...8))
            #expect(entries.allSatisfy { $0.fixture != nil })
        }
    }

    @Test func journalsRequests() async throws {
        try await withServer([Self.hello]) { server in
            let client = try await RawClient.connect(port: server.port)
            let asked = request("GET /hello?", "X-Odd:  1 ")
            try await client.send(asked)
            _ = try await client.read(until: "\r\n\r\nhi")
            let entry = try #require(await server.journal.entries.first)
            #expect(String(decoding: entry.head, as: UTF8.self) == asked)
            #expect(entry.fixture?.description == "test.cassette.json:5")
            #expect((entry.status, entry.ordinal, entry.method, entry.target) == (200, 1, "GET", "/hello?"))
            #expect(entry.duration != nil)
        }
    }

    @Test func finishesRequestsInFlightOnStop() async throws {
        let fixture = Fixture.recorded("https://api.example.com/s", response: .stream([(0, "one"), (100, "two")]))
        try await withServer([fixture]) { server in
            let busy = try await RawClient.connect(port: server.port)
            let idle = try await RawClient.connect(port: server.port)
            try await busy.send(request("GET /s"))
            _ = try await busy.read(until: "one\r\n")
            await server.stop()
            #expect(try await busy.readToEnd().text == "3\r\ntwo\r\n0\r\n\r\n")
            _ = try await idle.readToEnd()
        }
    }

    @Test func releasesPortAfterStop() async throws {
        try await withServer([Self.hello], configure: { $0.host = "127.0.0.91" }) { server in
            async let first: Void = server.stop()
            await server.stop()
            await first
            await #expect(throws: (any Error).self) {
                _ = try await RawClient.connect(host: "127.0.0.91", port: server.port)
            }
            var configuration = server.configuration
            configuration.threads = 2
            let next = try await MockServer.start(fixtures: [], port: server.port, configuration: configuration)
            #expect(next.port == server.port)
            await next.stop()
        }
    }

    @Test func reloadsFilesAndKeepsFixturesOnError() async throws {
        try await withTemporaryFolder { path in
            let folder = URL(filePath: path)
            try Data("one".utf8).write(to: folder.appending(path: "hello.get.txt"))
            try await withServer([]) { server in
                let set = try await server.reload(fixtures: folder)
                #expect(set.fixtures.count == 1)
                let client = try await RawClient.connect(port: server.port)
                try await client.send(request("GET /hello"))
                _ = try await client.read(until: "\r\n\r\none")
                try Data("{".utf8).write(to: folder.appending(path: "broken.cassette.json"))
                await #expect(throws: FixtureProblems.self) { try await server.reload(fixtures: [folder]) }
                // The previous fixtures are still served.
                try await client.send(request("GET /hello"))
                _ = try await client.read(until: "\r\n\r\none")
            }
        }
    }

    @Test func journalEntryHasHeadersAndText() async throws {
        try await withServer([]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send("POST /x HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nx-a:2 \r\nContent-Length: 3\r\n\r\n\u{e9}!")
            _ = try await client.read(until: "\r\n\r\n")
            let entry = try #require(await server.journal.entries.first)
            #expect(entry.headers.map(\.name) == ["Host", "X-A", "x-a", "Content-Length"])
            #expect(entry.headers.map(\.value) == ["x", "1", "2", "3"])
            #expect(entry.text == "\u{e9}!")
        }
    }

    @Test func preservesSequencePositionsAcrossReloads() async throws {
        func fixture(_ path: String, _ text: String) -> Fixture {
            .recorded("https://api.example.com/\(path)", response: .text(text))
        }
        let sequence = [fixture("a", "1"), fixture("a", "2"), fixture("a", "3")]
        try await withServer(sequence + [fixture("b", "x"), fixture("b", "y")]) { server in
            let client = try await RawClient.connect(port: server.port)
            func get(_ path: String, _ text: String) async throws {
                try await client.send(request("GET /\(path)"))
                _ = try await client.read(until: "\r\n\r\n\(text)")
            }
            try await get("a", "1")
            try await get("b", "x")
            // An unchanged sequence continues at its position; a changed one starts over.
            try await server.reload(fixtures: [fixture("b", "x"), fixture("b", "z"), fixture("c", "c")] + sequence)
            try await get("a", "2")
            try await get("b", "x")
            try await get("b", "z")
            await server.reset()
            try await get("a", "1")
            try await get("b", "x")
        }
    }

    @Test func fallsBackToNextMatchAfterLastAnswer() async throws {
        let pattern = try RequestPattern(method: "GET", routePath: "/users/{id}")
        let length = HeaderLine(name: "Content-Length", value: "5")
        let head = ResponseHead(status: 200, reason: "OK", headers: [length])
        let plan = ResponsePlan(
            steps: [.head(head), .bytes(.bytes(Array("route".utf8))), .end(.complete)],
            framing: .contentLength
        )
        let route = Fixture(source: FixtureSource(file: "users/{id}.get.txt"), pattern: pattern, plan: plan)
        let recorded = Fixture.recorded("https://api.example.com/users/1", response: .text("recorded"))
        try await withServer([route, recorded], configure: { $0.afterLast = .miss }) { server in
            let client = try await RawClient.connect(port: server.port)
            for text in ["recorded", "route", "No fixture answers"] {
                try await client.send(request("GET /users/1"))
                _ = try await client.read(until: text == "No fixture answers" ? "404 Not Found" : "\r\n\r\n\(text)")
            }
        }
    }

    @Test func loopsServeSameFixturesAfterConcurrentReloads() async throws {
        try await withServer([Self.hello], configure: { $0.threads = 2 }) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await server.reload(fixtures: [
                            Fixture.recorded("https://api.example.com/hello", response: .text("<\(number)>"))
                        ])
                    }
                }
                try await group.waitForAll()
            }
            // All loops serve the same fixtures, whichever reload came last.
            var answers: Set<String> = []
            for _ in 0..<16 {
                let client = try await RawClient.connect(port: server.port)
                try await client.send(request("GET /hello"))
                answers.insert(try await client.read(until: ">").text)
            }
            #expect(answers.count == 1)
        }
    }

    @Test func comparesRepeatedHeaderFields() async throws {
        let recorded = RecordedRequest(
            method: "GET",
            url: "https://api.example.com/h",
            headers: [HeaderLine(name: "X-Tag", value: "a"), HeaderLine(name: "X-Tag", value: "b")]
        )
        let fixture = Fixture(
            source: FixtureSource(file: "test.cassette.json"),
            pattern: RequestPattern(recorded: recorded),
            plan: ResponsePlan(Exchange(request: recorded, outcome: .response(.text("hi"))))
        )
        try await withServer([fixture], configure: { $0.matching.append(.headers(["x-tag"])) }) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(request("GET /h", "X-Tag: a", "x-tag:  b"))
            _ = try await client.read(until: "\r\n\r\nhi")
            try await client.send(request("GET /h", "X-Tag: a"))
            #expect(try await client.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test func closesAfterAnsweringCONNECT() async throws {
        try await withServer([]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send(
                "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n" + request("GET /hello")
            )
            let text = try await client.readToEnd().text
            #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2)
            #expect(text.hasPrefix("HTTP/1.1 501 Not Implemented\r\n"))
            #expect(text.contains("501 Not Implemented: this server is not a forward proxy"))
        }
    }

    @Test func webSocketHandshakeGetsReasonInsteadOfNearestFixtures() async throws {
        try await withServer([Self.hello]) { server in
            let client = try await RawClient.connect(port: server.port)
            let lines = ["Upgrade: websocket", "Connection: Upgrade, close", "Sec-WebSocket-Version: 13"]
            try await client.send("GET /chat HTTP/1.1\r\nHost: h\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n")
            let text = try await client.readToEnd().text
            #expect(text.hasPrefix("HTTP/1.1 501 Not Implemented\r\n"))
            #expect(text.contains("WebSocket is not supported yet; connect the client to the real server"))
            #expect(!text.contains("/hello"))
        }
    }

    @Test func rejectsCustomMatchers() async {
        let configuration = MockServer.Configuration(matching: .standard + [.custom("tenant") { _, _ in true }])
        let error = await #expect(throws: StartError.self) {
            try await MockServer.start(fixtures: [Fixture](), configuration: configuration)
        }
        #expect(error?.code == .configuration)
        #expect(error?.description.contains("custom matcher 'tenant'") == true)
    }

    @Test func acceptsBracketedIPv6HostAndRejectsInvalidHost() async throws {
        try await withServer([Self.hello], configure: { $0.host = "[::1]" }) { server in
            #expect(server.url.absoluteString == "http://[::1]:\(server.port)")
        }
        var configuration = MockServer.Configuration()
        configuration.host = "not a host"
        await #expect(throws: StartError.self) {
            _ = try await MockServer.start(fixtures: [], configuration: configuration)
        }
    }

    @Test func runsSeveralServersInOneProcess() async throws {
        try await withServer([Self.hello]) { one in
            try await withServer([Fixture.recorded("https://api.example.com/hello", response: .text("other"))]) {
                other in
                #expect(one.port != other.port)
                for (server, expected) in [(one, "hi"), (other, "other")] {
                    let client = try await RawClient.connect(port: server.port)
                    try await client.send(request("GET /hello"))
                    _ = try await client.read(until: "\r\n\r\n" + expected)
                }
            }
        }
    }

    @Test func reportsPortInUse() async throws {
        try await withServer([Self.hello]) { server in
            for threads in [1, 2] {
                var configuration = MockServer.Configuration()
                configuration.threads = threads
                let error = await #expect(throws: StartError.self) {
                    _ = try await MockServer.start(fixtures: [], port: server.port, configuration: configuration)
                }
                #expect(error?.code == .portTaken)
            }
        }
    }

    @Test func listensOnIPv6() async throws {
        try await withServer([Self.hello], configure: { $0.host = "::1" }) { server in
            #expect(server.url.absoluteString == "http://[::1]:\(server.port)")
            let client = try await RawClient.connect(host: "::1", port: server.port)
            try await client.send(request("GET /hello"))
            _ = try await client.read(until: "\r\n\r\nhi")
        }
    }
}
