// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct ServerErrorTests {
    struct Problem: Error, Decodable, Equatable {
        var title: String
    }

    struct Other: Error, Equatable {
        var name: String
    }

    private func api(
        _ body: Body = #"{"title": "no"}"#,
        _ status: HTTPResponse.Status = .badRequest,
        _ serverError: ServerErrorDecoder? = nil
    ) -> Client {
        Client(
            "https://h",
            transport: ClosureTransport(status, headers: [.retryAfter: "5"], body: body),
            configuration: .init(serverError: serverError)
        )
    }

    @Test func throwsDecodedError() async {
        await #expect(throws: Problem(title: "no")) { try await api().get("/").serverError(Problem.self).send() }
    }

    @Test func appliesToAllCallsOfClient() async {
        let api = api(#"{"title": "no"}"#, .badRequest, .decoding(Problem.self))
        await #expect(throws: Problem(title: "no")) { try await api.get("/").send() }
        await #expect(throws: Problem(title: "no")) { _ = try await api.get("/").stream() }
        await #expect(throws: Problem(title: "no")) { _ = try await api.get("/").lines() }
    }

    @Test func prefersCallOverEndpointOverClient() async {
        struct Get: Endpoint {
            var path: Path { "/" }
            func configure(_ call: Call) -> Call { call.serverError { _ in Other(name: "endpoint") } }
        }
        let api = api("", .badRequest, ServerErrorDecoder { _ in Other(name: "client") })
        await #expect(throws: Other(name: "client")) { try await api.get("/").send() }
        await #expect(throws: Other(name: "endpoint")) { try await api.send(Get()) }
        await #expect(throws: Other(name: "call")) {
            try await api.call(Get()).serverError { _ in Other(name: "call") }.send()
        }
        await #expect(throws: Other(name: "endpoint")) { try await api.call(Get()).serverError { _ in nil }.send() }
    }

    @Test func receivesStatusHeadersAndContent() async {
        await #expect(throws: Other(name: #"400 5 {"title": "no"}"#)) {
            try await api().get("/").serverError { response in
                Other(name: "\(response.status.code) \(response.headers[.retryAfter] ?? "") \(response.text)")
            }.send()
        }
    }

    @Test(arguments: ["<html>", ""]) func undecodableContentThrowsStatusErrorWithContent(body: String) async {
        let error = await #expect(throws: ClientError.self) {
            try await api(Body(body)).get("/").serverError(Problem.self).send()
        }
        #expect(error?.code == .status)
        #expect(error?.response?.text == body)
    }

    @Test func decodesErrorWithCallDecoder() async {
        struct Refusal: Error, Decodable, Equatable { var errorText: String }
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        let call = api(#"{"error_text": "no"}"#).get("/").serverError(Refusal.self)
        await #expect(throws: Refusal(errorText: "no")) { try await call.decoder(snake).send() }
        await #expect(throws: ClientError.self) { try await call.send() }
    }

    @Test func rethrowsErrorsOfClosure() async {
        await #expect(throws: Other(name: "thrown")) {
            try await api().get("/").serverError { _ in throw Other(name: "thrown") }.send()
        }
    }

    @Test func isSkippedForSuccess() async throws {
        let response = try await api("fine", .ok).get("/").serverError { _ in Other(name: "") }.send()
        #expect(response.text == "fine")
    }

    // MARK: Transforms

    private func adding(_ text: String) -> ResponseTransform {
        { response in
            var response = response
            response.bytes += Array(text.utf8)
            return response
        }
    }

    @Test func transformsRunFromClientToEndpointToCall() async throws {
        struct Get: Endpoint {
            let add: ResponseTransform
            var path: Path { "/" }
            func configure(_ call: Call) -> Call { call.transform(add) }
        }
        var api = api("a", .ok)
        api.configuration.transforms = [adding("b"), adding("c")]
        let response = try await api.call(Get(add: adding("d"))).transform(adding("e")).send()
        #expect(response.text == "abcde")
    }

    @Test func valuesDecodeTransformedContent() async throws {
        let number = try await api("4", .ok).get("/").transform(adding("2")).value(as: Int.self)
        #expect(number == 42)
    }

    @Test func validationRunsBeforeTransformsAndStopsAtFirstError() async {
        let call = api("a", .ok).get("/").transform { _ in throw Other(name: "transform") }
        await #expect(throws: Other(name: "validation")) {
            try await call.validate { response in
                if response.text == "a" { throw Other(name: "validation") }
            }.validate { _ in throw Other(name: "second") }.send()
        }
        await #expect(throws: Other(name: "transform")) { try await call.send() }
    }

    @Test func transformsSkipErrorsAndStreams() async throws {
        let refused = await #expect(throws: ClientError.self) {
            try await api("a", .badRequest).get("/").transform(adding("b")).send()
        }
        #expect(refused?.response?.text == "a")
        let response = try await api("a", .ok).get("/").transform(adding("b")).stream()
        #expect(try await response.body.collect() == Array("a".utf8))
    }

    // MARK: Without content

    @Test(arguments: ["", "more"]) func statusResponseAcceptsAnyContent(body: String) async throws {
        struct Touch: Endpoint {
            typealias Response = StatusResponse
            var path: Path { "/" }
        }
        let api = api(Body(body), .created)
        #expect(try await api.send(Touch()).status == .created)
        #expect(try await api.get("/").value(as: StatusResponse.self).headers[.retryAfter] == "5")
    }

    @Test func emptyResponseIgnoresContent() async throws {
        _ = try await api("no json", .ok).get("/").value(as: EmptyResponse.self)
    }

    @Test func customFunctionReplacesMissingContent() async throws {
        struct Create: Endpoint {
            typealias Response = Int
            var path: Path { "/" }
            static func empty(_ response: BufferedResponse) -> Int? { response.status.code }
        }
        #expect(try await api("", .created).send(Create()) == 201)
        #expect(try await api("5", .created).send(Create()) == 5)
        #expect(try await api("", .ok).get("/").value(as: Int.self, whenEmpty: { $0.status.code }) == 200)
        #expect(try await api("5", .ok).get("/").value(as: Int.self, whenEmpty: { $0.status.code }) == 5)
    }

    @Test func missingContentThrowsEmptyError() async {
        let error = await #expect(throws: ClientError.self) {
            _ = try await api("", .ok).get("/").value(as: Int.self)
        }
        #expect(error?.code == .empty)
    }

    // MARK: Decoders

    private struct Fixed: ResponseDecoder {
        let number: Int
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            guard let value = number as? Value else { throw Other(name: "no number") }
            return value
        }
    }

    private struct Get: Endpoint {
        typealias Response = Int
        var allowsDecoderOverride = true
        var path: Path { "/" }
        var decoder: (any ResponseDecoder)? { Fixed(number: 3) }
    }

    @Test func prefersCallDecoderThenClientThenEndpoint() async throws {
        var api = api("1", .ok)
        #expect(try await api.get("/").value(as: Int.self) == 1)
        #expect(try await api.send(Get()) == 3)
        api.configuration.decoder = Fixed(number: 2)
        #expect(try await api.send(Get()) == 2)
        #expect(try await api.send(Get(allowsDecoderOverride: false)) == 3)
        #expect(
            try await api.call(Get(allowsDecoderOverride: false)).decoder(Fixed(number: 4)).value(as: Int.self) == 4
        )
    }
}
