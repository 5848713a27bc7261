// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct JSONFieldTests {
    struct User: Codable, Equatable {
        var name: String
        var joined: Date?
    }

    private let body = #"{"data": {"user": {"name": "Ada", "joined": 60}, "ids": [1, 2], "none": null}, "n": "x"}"#

    private func call() -> Call {
        Client("https://h", transport: ClosureTransport(body: Body(body))).get("/me")
    }

    @Test func returnsValueAtPath() async throws {
        let user: User? = try await call().value(at: "/data/user")
        #expect(user?.name == "Ada")
        #expect(try await call().value(at: "data/ids/1", as: Int.self) == 2)
        #expect(try await call().value(required: "/data/user/name", as: String.self) == "Ada")
    }

    @Test(arguments: ["/data/x", "/x/y/z", "/data/ids/2", "/data/none", "/n/x"] as [JSONPointer])
    func returnsNilForMissingValue(path: JSONPointer) async throws {
        #expect(try await call().value(at: path, as: String.self) == nil)
    }

    @Test(arguments: ["/data/x", "/x/y/z", "/data/ids/2"] as [JSONPointer])
    func missingRequiredValueThrowsItsPath(path: JSONPointer) async {
        let error = await #expect(throws: ClientError.self) {
            try await call().value(required: path, as: String.self)
        }
        #expect(error?.code == .path)
        #expect(error?.message.contains("at \(path): expected String, found nothing") == true)
        #expect(error?.request?.path == "/me")
    }

    @Test(arguments: [false, true]) func typeMismatchThrowsPathExpectedAndFoundTypes(isRequired: Bool) async {
        let error = await #expect(throws: ClientError.self) {
            if isRequired { _ = try await call().value(required: "/n", as: Int.self) }
            _ = try await call().value(at: "/n", as: Int.self)
        }
        #expect(error?.code == .path)
        #expect(error?.message.contains("at /n: expected Int, found a string") == true)
        #expect(error?.underlying is DecodingError)
    }

    @Test func rejectsNullForRequiredValue() async {
        let error = await #expect(throws: ClientError.self) {
            try await call().value(required: "/data/none", as: Int.self)
        }
        #expect(error?.message.contains("at /data/none: expected Int, found null") == true)
    }

    @Test func returnsSeveralTypedValuesFromOneResponse() async throws {
        let transport = ClosureTransport(body: Body(body))
        let (name, ids, missing) = try await Client("https://h", transport: transport).get("/me").values(
            .required("/data/user/name", as: String.self),
            .required("/data/ids", as: [Int].self),
            .optional("/data/x", as: Bool.self)
        )
        #expect(transport.requests.count == 1)
        #expect(name == "Ada")
        #expect(ids == [1, 2])
        #expect(missing == nil)
    }

    @Test func decodesWithCallDecoder() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let user: User? = try await call().decoder(decoder).value(at: "/data/user")
        #expect(user?.joined == Date(timeIntervalSince1970: 60))
    }

    /// No `Double` or `Int64` can represent these numbers exactly.
    @Test func preservesAllDigitsOfNumbers() async throws {
        struct Account: Decodable {
            var id: UInt64
            var balance: Decimal
        }
        let account = #"{"id": 9223372036854775809, "balance": 12345678901234567.89}"#
        let body = #"{"code": 0, "data": \#(account), "ids": [1, 18446744073709551615]}"#
        let call = Client("https://h", transport: ClosureTransport(body: Body(body))).get("/")
        let expected = try #require(Decimal(string: "12345678901234567.89"))
        #expect(try await call.value(at: "/data/balance", as: Decimal.self) == expected)
        #expect(try await call.value(required: "/ids/1", as: UInt64.self) == .max)
        let found = try await call.value(in: EnvelopeTests.BaseResponse.self, as: Account.self)
        #expect(found.id == 9_223_372_036_854_775_809)
        #expect(found.balance == expected)
    }

    /// Names that look the same are different if their bytes are.
    @Test func findsNamesByTheirBytes() async throws {
        let call = Client("https://h", transport: ClosureTransport(body: Body(#"{"ä": 1, "b": 2}"#))).get("/")
        #expect(try await call.value(at: "/ä", as: Int.self) == 1)
        #expect(try await call.value(at: "/a\u{308}", as: Int.self) == nil)
    }

    @Test func findsValuesInUTF16() async throws {
        let body = try #require(#"{"a": [{"b": "é"}]}"#.data(using: .utf16))
        let call = Client("https://h", transport: ClosureTransport(body: Body(Array(body)))).get("/")
        #expect(try await call.value(at: "/a/0/b", as: String.self) == "é")
    }

    // MARK: Properties of a model

    struct Place: Decodable, Equatable {
        var city: String
        var latitude: Double
        var second: Int?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: JSONKey.self)
            city = try container.decode(at: "address/city", default: "")
            latitude = try container.decode(Double.self, at: "address/geo/lat", default: 0)
            second = try container.decodeIfPresent(at: "ids/1")
        }
    }

    private func place(_ text: String) throws -> Place {
        try JSONDecoder().decode(Place.self, from: Data(text.utf8))
    }

    @Test func decodesPropertiesAtNestedPaths() throws {
        let place = try place(#"{"address": {"city": "Basel", "geo": {"lat": 47.5}}, "ids": [1, 2, 3]}"#)
        #expect(place.city == "Basel")
        #expect(place.latitude == 47.5)
        #expect(place.second == 2)
    }

    @Test(arguments: [
        "{}", #"{"address": null}"#, #"{"address": {"geo": {}}, "ids": []}"#,
        #"{"address": {"city": null, "geo": null}, "ids": [1]}"#, #"{"address": {"geo": {"lat": null}}, "ids": null}"#,
    ])
    func missingPropertiesDecodeAsDefaults(text: String) throws {
        let place = try place(text)
        #expect(place.city == "")
        #expect(place.latitude == 0)
        #expect(place.second == nil)
    }

    @Test func propertyTypeMismatchThrows() {
        #expect(throws: DecodingError.self) { try place(#"{"address": {"geo": {"lat": "north"}}}"#) }
    }

    @Test func errorNamesMissingRequiredProperty() throws {
        struct Strict: Decodable {
            init(from decoder: any Decoder) throws {
                _ = try decoder.container(keyedBy: JSONKey.self).decode(Int.self, at: "a/b")
            }
        }
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Strict.self, from: Data(#"{"a": {}}"#.utf8))
        }
        #expect("\(try #require(error))".contains("/a/b"))
    }
}
