// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseReplay
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
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

    /// The bytes of the request's body and of the response's pieces.
    private func bodies(_ exchange: Exchange) throws -> (request: [UInt8], response: [[UInt8]]) {
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
        var pin: Int32?
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
        #expect(received.pin == sent.pin)
        #expect(received.cvv != nil && received.cvv != 987)
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
            let cvv = try #require(try card(try bodies(exchange).request).cvv)
            #expect(100..<1000 ~= cvv)
            texts.insert(cvv)
        }
        // A number of the traffic that is already the text of another one stays.
        #expect(texts.count > 400)
    }

    @Test func recordingPlaysForOtherNumber() async throws {
        try folder.record(payment(#"{"cvv": 123, "pin": 4711}"#, answer: [#"{"pin": 4711}"#]))
        let transport = try ReplayingTransport(folder.cassette)
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
