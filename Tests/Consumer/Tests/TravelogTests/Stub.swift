// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseTesting

/// The photo that a test sends.
let harbour = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/harbour.png")

/// The journal's service as closures, which check tokens and uploads.
func makeStub() -> StubTransport {
    StubTransport {
        $0.post("/v1/session") { try signIn(with: $0.json()) }
        $0.post("/v1/session/refresh") { request in
            let body: [String: String] = try request.json()
            return body["refresh_token"] == "again" ? tokens("fresh", "again") : refusal(40102, .unauthorized)
        }
        // The question mark restricts the route to requests without a query.
        $0.get("/v1/photos?", answer: withToken(reply(#"{"photos": [\#(tower), \#(tram)], "next": "p-2"}"#)))
        $0.get("/v1/photos?after=p-2", answer: withToken(reply(#"{"photos": [\#(pasteis)], "next": null}"#)))
        $0.get("/v1/photos/p-3", answer: withToken(reply(tower)))
        $0.get("/v1/photos/p-2", answer: withToken(reply(tram)))
        $0.get("/v1/photos/{id}", answer: withToken(refusal(40401, .notFound)))
        $0.get("/v1/photos/p-9", answer: withToken(refusal(50000, .ok)))
        $0.post("/v1/photos") { request in
            guard Data(request.body).range(of: try Data(contentsOf: harbour)) != nil else {
                return refusal(40001, .badRequest)
            }
            return reply(#"{"id": "p-4", "caption": "The harbour"}"#, .created)
        }
        $0.get("/v1/trips/lisbon/chat", answer: withToken(.events(.text(hello), .text(answer), .text(deal))))
        $0.get("/v1/trips/porto/chat", answer: withToken(.events(.text(bridge), ending: .timedOut)))
        $0.get("/v1/trips/atlantis/chat", answer: withToken(refusal(50000, .serviceUnavailable)))
        $0.get("/v1/trips/faro/chat", answer: withToken(.events(.text(beach), "data: {", ending: .reset)))
    }
}

private let tower = #"{"id": "p-3", "caption": "The tower of Belém"}"#
private let tram = #"{"id": "p-2", "caption": "A tram, uphill"}"#
private let pasteis = #"{"id": "p-1", "caption": "Pastéis"}"#

private let hello = #"data: {"author": "Ada", "text": "Who is up for the tower?"}"# + "\n\n"
private let answer = #"data: {"author": "Grace", "text": "After the pastéis."}"# + "\n\n"
private let deal = #"data: {"author": "Ada", "text": "Deal."}"# + "\n\n"
private let bridge = #"data: {"author": "Grace", "text": "Which bridge?"}"# + "\n\n"
private let beach = #"data: {"author": "Ada", "text": "The beach!"}"# + "\n\n"

/// Ada's token has expired when she uses it. Alan's has, too, and his refresh token is invalid.
private func signIn(with body: [String: String]) -> StubTransport.Answer {
    guard body["password"] == "a lighthouse at noon" else { return refusal(40101, .unauthorized) }
    return switch body["name"] {
    case "ada": tokens("stale", "again")
    case "alan": tokens("stale", "spent")
    default: tokens("fresh", "again")
    }
}

private func withToken(
    _ answer: StubTransport.Answer
) -> @Sendable (StubTransport.Request) async throws -> StubTransport.Answer {
    { $0.headers[.authorization] == "Bearer fresh" ? answer : refusal(40100, .unauthorized) }
}

private func tokens(_ access: String, _ refresh: String) -> StubTransport.Answer {
    reply(#"{"access_token": "\#(access)", "refresh_token": "\#(refresh)"}"#)
}

private func reply(_ data: String, _ status: HTTPResponse.Status = .ok) -> StubTransport.Answer {
    .json(#"{"code": 0, "message": "ok", "data": \#(data), "request_id": "r-01"}"#, status: status)
}

private func refusal(_ code: Int, _ status: HTTPResponse.Status) -> StubTransport.Answer {
    let message = "The archive is being moved."
    return .json(
        #"{"code": \#(code), "message": "\#(message)", "data": null, "request_id": "r-15"}"#,
        status: status
    )
}
