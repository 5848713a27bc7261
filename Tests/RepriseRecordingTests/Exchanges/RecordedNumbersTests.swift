// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseReplay
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseRecording
@testable import RepriseText

/// Secrets that are numbers in JSON: recordings contain other numbers in their place.
@Suite struct RecordedNumbersTests {
    private let folder = try! TemporaryFolder()

    private func payment(_ body: String, answer: [String] = ["{}"]) -> ScriptedExchange {
        var exchange = ScriptedExchange(method: "POST", url: "http://example.com/pay")
        exchange.requestHeaders = ["Content-Type: application/json"]
        exchange.requestBody = [body]
        exchange.headers = ["Content-Type: application/json"]
        exchange.pieces = answer.map { .init($0) }
        return exchange
    }

    /// The bytes of the request's body and of the response's pieces, as clients receive them.
    private func bodies(_ exchange: Exchange) throws -> (request: [UInt8], response: [[UInt8]]) {
        let exchange = ReceivedTexts(try folder.readCassette())?.applied(to: exchange) ?? exchange
        guard case .bytes(let request)? = exchange.request.body?.source,
            case .response(let response) = exchange.outcome
        else { return ([], []) }
        switch response.content {
        case .none: return (request, [])
        case .body(let body):
            guard case .bytes(let bytes) = body.source else { return (request, []) }
            return (request, [bytes])
        case .stream(let steps):
            return (request, steps.compactMap { if case .bytes(let bytes) = $0.event { bytes } else { nil } })
        }
    }

    /// Decodes what a strict client decodes.
    private struct Card: Decodable {
        var cvv: Int?
        var pin: Int?
        var password: Int64?
        var cardNumber: Int64?
    }

    private func card(_ bytes: [UInt8]) throws -> Card {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Card.self, from: Data(bytes))
    }

    @Test func secretNumbersStayNumbers() throws {
        let numbers = #"{"cvv": 123, "pin": 4711, "password": 1234567890123456789, "card_number": 4242424242424242}"#
        try folder.record(payment(numbers, answer: [#"{"pin": 47"#, #"11,"cvv":9"#, "87}"]))
        let (request, response) = try bodies(folder.exchanges()[0])
        let sent = try card(request)
        #expect(sent.cvv != 123 && sent.pin != 4711 && sent.password != 1_234_567_890_123_456_789)
        #expect(sent.cardNumber != 4_242_424_242_424_242 && sent.cardNumber != nil)
        let received = try card(Array(response.joined()))
        #expect(1000..<10_000 ~= received.pin ?? 0 && received.pin != 4711)
        #expect(100..<1000 ~= received.cvv ?? 0 && received.cvv != 987)
        #expect(sent.pin.map { StandIn("\($0)", shape: .digits).received } == received.pin.map { Array("\($0)".utf8) })
    }

    /// Also in JSON inside JSON, which is decoded to be found.
    @Test func secretNumbersInNestedJSONStayNumbers() throws {
        try folder.record(payment(#"{"body":"{\"cvv\": 123, \"max_tokens\": 4711}"}"#))
        let request = try bodies(folder.exchanges()[0]).request
        let outer = try JSONDecoder().decode([String: String].self, from: Data(request))
        let inner = try JSONDecoder().decode([String: Int].self, from: Data((outer["body"] ?? "").utf8))
        #expect(inner["cvv"] != nil && inner["cvv"] != 123)
        #expect(inner["max_tokens"] == 4711)
    }

    @Test func secretNumbersInStreamStayNumbers() throws {
        var exchange = ScriptedExchange.get("/events", "")
        exchange.headers = ["Content-Type: text/event-stream"]
        exchange.pieces = ["data: {\"pin\": 47", "11}\n\nda", "ta: {\"cvv\":123}\n\n"].map { .init($0) }
        exchange.ending = .reset
        try folder.record(exchange)
        guard case .response(let response) = try folder.exchanges()[0].outcome,
            case .stream(let steps) = response.content
        else {
            Issue.record("expected a stream")
            return
        }
        let bytes = steps.flatMap { step in if case .bytes(let bytes) = step.event { bytes } else { [UInt8]() } }
        let cards = try bytes.split(separator: 0x0A).map { try card(Array($0.dropFirst("data: ".count))) }
        #expect(cards.count == 2)
        #expect(cards[0].pin != nil && cards[0].pin != 4711)
        #expect(cards[1].cvv != nil && cards[1].cvv != 123)
    }

    /// A body that ends in a number, because the connection was lost.
    @Test func cutNumberStaysNumber() throws {
        var exchange = payment(#"{"cvv": 123}"#, answer: [#"{"cvv": 98"#, "7"])
        exchange.ending = .reset
        try folder.record(exchange)
        let response = try bodies(folder.exchanges()[0]).response.joined()
        let text = String(decoding: Array(response), as: UTF8.self)
        #expect(text.wholeMatch(of: /\{"cvv": [1-9][0-9]{2}/) != nil)
        #expect(!text.contains("987"))
    }

    /// There are more secrets than numbers of three digits.
    @Test func manyShortNumbersStayNumbers() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        for number in 0..<1200 {
            recorder.record(payment(#"{"cvv": \#(100 + number % 900), "token": "token-\#(number)-of-client"}"#))
        }
        _ = try recorder.finish()
        var texts: Set<Int> = []
        for exchange in try folder.exchanges() {
            guard case .bytes(let request)? = exchange.request.body?.source else { continue }
            texts.insert(try #require(try card(request).cvv))
        }
        // Each of the 900 different numbers has a text of its own.
        #expect(texts.count == 900)
    }

    /// A short number can occur anywhere. Its stand-in never is a number of the traffic, whether that was recorded
    /// before, after, or in an earlier recording.
    @Test(arguments: [[0, 1, 2], [1, 0, 2], [1, 2, 0], [0, 2, 1]], [true, false])
    func standInOfShortNumberMasksNothingElse(order: [Int], isAppended: Bool) async throws {
        let digits = StandIn("271828180000000001", shape: .digits).received
        let item = String(decoding: digits, as: UTF8.self)
        var login = payment(#"{"pin": 123}"#, answer: [#"{"pin": 123, "item": \#(item)}"#])
        login.url = "http://example.com/login"
        var purchase = payment(#"{"item": \#(item)}"#)
        purchase.url = "http://example.com/order?id=\(item)"
        let all = [ScriptedExchange.get("/items/\(item)", "the item"), login, purchase]
        let recorded = order.map { all[$0] }
        if isAppended {
            for exchange in recorded { try folder.record(exchange, configuration: .ticking(mode: .append)) }
        } else {
            try folder.record(recorded[0], recorded[1], recorded[2])
        }
        let transport = try ReplayingTransport(folder.cassette)
        func send(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws -> String {
            let fields: HTTPFields = body.isEmpty ? [:] : [.contentType: "application/json"]
            let request = HTTPRequest(
                method: method,
                scheme: "http",
                authority: "example.com",
                path: path,
                headerFields: fields
            )
            let response = try await transport.send(
                request,
                body: body.isEmpty ? nil : Body(Array(body.utf8)),
                options: RequestOptions()
            )
            return String(decoding: try await response.body.collect(), as: UTF8.self)
        }
        for path in ["/items/777", "/items/abc"] {
            await #expect(throws: (any Error).self) { _ = try await send(.get, path) }
        }
        await #expect(throws: (any Error).self) { _ = try await send(.post, "/order?id=777", #"{"item": \#(item)}"#) }
        await #expect(throws: (any Error).self) { _ = try await send(.post, "/order?id=\(item)", #"{"item": 777}"#) }
        #expect(try await send(.get, "/items/\(item)") == "the item")
        #expect(try await send(.post, "/order?id=\(item)", #"{"item": \#(item)}"#) == "{}")
        // The number in the response that is not a secret stays, and the secret has as many digits as it had.
        let answer = try await send(.post, "/login", #"{"pin": 5555}"#)
        #expect(answer.wholeMatch(of: /\{"pin": [1-9][0-9]{2}, "item": [0-9]{3}\}/) != nil)
        #expect(answer.hasSuffix(#""item": \#(item)}"#))
    }

    /// What a client received for a secret leads to the sequence of the secret.
    @Test func receivedNumberChoosesItsUser() async throws {
        func visit(_ pin: Int, _ answer: String) -> ScriptedExchange {
            var exchange = ScriptedExchange.get("/me?pin=\(pin)", answer)
            exchange.headers = ["Content-Type: text/plain"]
            return exchange
        }
        try folder.record(visit(1111, "a1"), visit(2222, "b1"), visit(1111, "a2"), visit(2222, "b2"))
        let second = try #require(try folder.readCassette().standIns?.last)
        let pin = String(decoding: second.received, as: UTF8.self)
        #expect(pin.count == 4)
        let transport = try ReplayingTransport(folder.cassette)
        var answers: [String] = []
        for value in [pin, "7777", pin, "7777"] {
            let request = HTTPRequest(method: .get, scheme: "http", authority: "example.com", path: "/me?pin=\(value)")
            let response = try await transport.send(request, body: nil, options: RequestOptions())
            answers.append(String(decoding: try await response.body.collect(), as: UTF8.self))
        }
        #expect(answers == ["b1", "a1", "b2", "a2"])
    }

    @Test func recordingPlaysForOtherNumber() async throws {
        try folder.record(payment(#"{"cvv": 123, "pin": 4711}"#, answer: [#"{"pin": 4711}"#]))
        let transport = try ReplayingTransport(paths: [folder.cassette], configuration: .init(afterLast: .repeat))
        let fields: HTTPFields = [.contentType: "application/json"]
        let request = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "example.com",
            path: "/pay",
            headerFields: fields
        )
        for (cvv, pin) in [(123, 4711), (456, 8152), (7890, 120_345)] {
            let body = Body(Array(#"{"cvv": \#(cvv), "pin": \#(pin)}"#.utf8))
            let response = try await transport.send(request, body: body, options: RequestOptions())
            #expect(try card(Array(try await response.body.collect())).pin != nil)
        }
    }
}
