// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct EnvelopeTests {
    struct User: Codable, Equatable {
        var name: String
    }

    enum APIError: Error, Equatable {
        case tokenExpired(String?)
    }

    struct BaseResponse: Envelope {
        let code: BusinessCode
        let message: String?
        let requestID: String?

        enum CodingKeys: String, CodingKey {
            case code, message
            case requestID = "request_id"
        }

        static func error(for failure: BusinessError) -> (any Error)? {
            failure.code == 4001 ? APIError.tokenExpired(failure.message) : nil
        }
    }

    /// An envelope that overrides every default.
    struct Wrapped: Envelope {
        let code: BusinessCode
        static var payloadPath: JSONPointer { "/result/value" }
        static var successCodes: Set<BusinessCode> { ["OK", 200] }
        static var statusCodes: Set<Int> { [200, 201] }
    }

    private func call(_ body: String, _ status: HTTPResponse.Status = .ok) -> Call {
        Client("https://h", transport: ClosureTransport(status, body: Body(body))).get("/me")
    }

    @Test(arguments: ["0", #""0""#]) func unwrapsContent(code: String) async throws {
        let user: User = try await call(#"{"code": \#(code), "data": {"name": "Ada"}}"#).value(in: BaseResponse.self)
        #expect(user == User(name: "Ada"))
    }

    @Test(arguments: [(#""OK""#, HTTPResponse.Status.ok), ("200", .created)])
    func usesCodesStatusesAndPathOfEnvelope(code: String, status: HTTPResponse.Status) async throws {
        let answer = call(#"{"code": \#(code), "result": {"value": 7}}"#, status)
        #expect(try await answer.value(in: Wrapped.self, as: Int.self) == 7)
    }

    @Test func callValidationOverridesEnvelopeStatuses() async throws {
        let answer = call(#"{"code": 0, "data": {"name": "Ada"}}"#, .accepted)
        await #expect(throws: ClientError.self) { try await answer.value(in: BaseResponse.self, as: User.self) }
        let user = try await answer.validate(.statusCodes([202])).value(in: BaseResponse.self, as: User.self)
        #expect(user == User(name: "Ada"))
    }

    @Test func knownCodeThrowsAppError() async {
        await #expect(throws: APIError.tokenExpired("again")) {
            _ = try await call(#"{"code": 4001, "message": "again"}"#).value(in: BaseResponse.self, as: User.self)
        }
    }

    @Test(arguments: [HTTPResponse.Status.ok, .badRequest, .internalServerError])
    func unknownCodeThrowsBusinessErrorWithContext(status: HTTPResponse.Status) async {
        let body = #"{"code": 17, "message": "no", "request_id": "r-1", "data": "something else"}"#
        let error = await #expect(throws: ClientError.self) {
            _ = try await call(body, status).value(in: BaseResponse.self, as: User.self)
        }
        #expect(error?.code == .business)
        #expect(error?.business == BusinessError(code: 17, message: "no", requestID: "r-1"))
        #expect(error?.message.contains("code 17: no (request r-1)") == true)
        #expect(error?.response?.status == status)
        #expect(error?.request?.path == "/me")
    }

    @Test func clientDecodesErrorEnvelopesOfStreamsToo() async {
        var api = Client(
            "https://h",
            transport: ClosureTransport(.badRequest, body: Body(#"{"code": 4001, "message": "again"}"#))
        )
        api.configuration.serverError = .envelope(BaseResponse.self)
        let call = api.get("/news")
        await #expect(throws: APIError.tokenExpired("again")) { _ = try await call.events() }
        await #expect(throws: APIError.tokenExpired("again")) { try await call.send() }
    }

    @Test(arguments: ["<html>", #"{"code": 0}"#])
    func clientThrowsStatusErrorWithoutErrorEnvelope(body: String) async {
        let transport = ClosureTransport(.badRequest, body: Body(body))
        let configuration = Client.Configuration(serverError: .envelope(BaseResponse.self))
        let api = Client("https://h", transport: transport, configuration: configuration)
        let error = await #expect(throws: ClientError.self) { try await api.get("/news").send() }
        #expect(error?.code == .status)
    }

    @Test func unexpectedStatusWithoutEnvelopeThrowsStatusError() async {
        let error = await #expect(throws: ClientError.self) {
            _ = try await call("<html>", .badGateway).value(in: BaseResponse.self, as: User.self)
        }
        #expect(error?.code == .status)
    }

    @Test func unexpectedStatusThrowsDespiteSuccessCode() async {
        let error = await #expect(throws: ClientError.self) {
            _ = try await call(#"{"code": 0, "data": 1}"#, .accepted).value(in: BaseResponse.self, as: Int.self)
        }
        #expect(error?.code == .status)
    }

    @Test(arguments: [#"{"code": 0}"#, #"{"code": 0, "data": null}"#])
    func missingContentIsNullOrNilOrThrows(body: String) async throws {
        #expect(try await call(body).value(in: BaseResponse.self, as: JSONValue.self) == .null)
        #expect(try await call(body).value(in: BaseResponse.self, as: User?.self) == nil)
        try await call(body).send(in: BaseResponse.self)
        let error = await #expect(throws: ClientError.self) {
            _ = try await call(body).value(in: BaseResponse.self, as: User.self)
        }
        #expect(error?.code == .path)
        #expect(error?.message.contains("at /data") == true)
    }

    @Test func optionalTypesDecodePresentContent() async throws {
        let body = #"{"code": 0, "data": {"name": "Ada"}}"#
        #expect(try await call(body).value(in: BaseResponse.self, as: User?.self) == User(name: "Ada"))
        #expect(try await call(body).value(in: BaseResponse.self, as: JSONValue.self)["name"] == "Ada")
        try await call(body).send(in: BaseResponse.self)
    }

    @Test func decodesContentWithCallDecoder() async throws {
        struct Person: Decodable { var firstName: String }
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        let answer = call(#"{"code": 0, "data": {"first_name": "Ada"}}"#).decoder(snake)
        #expect(try await answer.value(in: BaseResponse.self, as: Person.self).firstName == "Ada")
    }

    @Test func contentTypeMismatchNamesPathAndTypes() async {
        let error = await #expect(throws: ClientError.self) {
            _ = try await call(#"{"code": 0, "data": [1]}"#).value(in: BaseResponse.self, as: User.self)
        }
        #expect(error?.code == .path)
        #expect(error?.message.contains("at /data: expected User, found an array") == true)
    }

    @Test func invalidEnvelopeThrowsDecodingError() async {
        let error = await #expect(throws: ClientError.self) {
            _ = try await call(#"{"name": "Ada"}"#).value(in: BaseResponse.self, as: User.self)
        }
        #expect(error?.code == .decoding)
    }

    @Test func serverErrorOfCallTakesPrecedence() async {
        struct Mine: Error, Equatable {}
        await #expect(throws: Mine()) {
            _ = try await call(#"{"code": 17}"#, .badRequest).serverError { _ in Mine() }
                .value(in: BaseResponse.self, as: User.self)
        }
    }
}
