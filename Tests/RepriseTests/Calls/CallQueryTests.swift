// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct CallQueryTests {
    private let call = Client("https://h").get("/")

    private func query(_ call: Call) throws -> String {
        String(try #require(call.request().path).dropFirst(2))
    }

    @Test func preservesRepeatedNamesInOrder() throws {
        #expect(try query(call.query("tag", "b").query("page", 1).query("tag", "a")) == "tag=b&page=1&tag=a")
        #expect(try query(call.query("tag", ["b", "a"])) == "tag=b&tag=a")
        #expect(try query(call.query(["tag": "b", "page": 1, "tag": "a"])) == "tag=b&page=1&tag=a")
    }

    @Test func omitsNil() throws {
        let none: String? = nil
        let some: Int? = 3
        #expect(try query(call.query("a", none).query("b", some).query("c", nil)) == "b=3")
        #expect(try query(call.query(["a": none, "b": some, "c": nil])) == "b=3")
        #expect(try call.query("a", [Int]()).request().path == "/")
    }

    @Test func formatsValuesAndUnwrapsOptionals() throws {
        enum Order: String, ParameterValue { case newest }
        let id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        let some: String? = "x"
        let call = call.query("s", some).query("i", -7).query("u", UInt8(255)).query("d", 0.1).query("b", true)
            .query("o", Order.newest).query("id", id).query("f", Float(1.5)).query("sub", "abc".dropFirst())
        #expect(
            try query(call)
                == "s=x&i=-7&u=255&d=0.1&b=true&o=newest&id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F&f=1.5&sub=bc"
        )
    }

    @Test func formatsDatesURLsAndDecimals() throws {
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        let url = try #require(URL(string: "https://a.example/?b=1"))
        let values = call.query("since", date).query("u", url).query("n", Decimal(string: "0.10000000000000000001"))
        #expect(
            try query(values) == "since=2001-09-09T01%3A46%3A40Z&u=https%3A%2F%2Fa.example%2F%3Fb%3D1"
                + "&n=0.10000000000000000001"
        )
        let configuration = Client.Configuration(parameterStyle: .init(dates: .seconds))
        let call = Client("https://h", configuration: configuration).get("/")
        #expect(try query(call.query("since", date)) == "since=1000000000")
        #expect(try query(call.query("since", [date, nil])) == "since=1000000000")
        #expect(try query(call.query(["since": date])) == "since=1000000000")
        #expect(try query(call.parameters(["since": date])) == "since=1000000000")
        #expect(throws: ClientError.self) { try call.query("n", Decimal.nan).request() }
    }

    @Test func omitsNilElementsOfArrays() throws {
        let ids: [Int?] = [1, nil, 3]
        let none: [Int]? = nil
        let some: [Int]? = [4]
        #expect(try query(call.query("a", ids).query("b", none).query("c", some)) == "a=1&a=3&c=4")
    }

    @Test func escapesReservedCharacters() throws {
        #expect(try query(call.query("a b", "c+d e&f=g#h%20i/?")) == "a%20b=c%2Bd%20e%26f%3Dg%23h%2520i%2F%3F")
        #expect(try query(call.query("", "")) == "=")
    }

    @Test func appendsToQueriesOfBaseAndPath() throws {
        let call = Client("https://h/v1?key=1").get("/a?b=2").query("c", 3)
        #expect(try call.request().path == "/v1/a?key=1&b=2&c=3")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func rejectsNonFiniteNumbers(value: Double) {
        let error = #expect(throws: ClientError.self) { try call.query("ratio", value).request() }
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains("ratio") == true)
    }

    @Test func reportsErrorOfParameterValue() {
        struct Broken: ParameterValue, Error {
            var parameterText: String { get throws { throw self } }
        }
        let error = #expect(throws: ClientError.self) { try call.query("a", Broken()).request() }
        #expect(error?.code == .invalidParameters)
        #expect(error?.underlying is Broken)
    }

    @Test func roundTripsArbitraryText() throws {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<2_000 {
            let pairs = (0..<3).map { _ in (generator.text(), generator.text()) }
            let call = pairs.reduce(call) { call, pair in call.query(pair.0, pair.1) }
            let parsed = StubLocation(of: try call.request()).query
            #expect(parsed.map(\.name) == pairs.map(\.0))
            #expect(parsed.map(\.value) == pairs.map(\.1))
        }
    }
}
