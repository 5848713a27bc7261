// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct ParameterEncoderTests {
    /// Names that look the same are different if their bytes are.
    @Test func mergesNamesThatLookTheSame() throws {
        let merged = try ParameterNode.dictionary([("ä", .null)]).merging(.dictionary([("a\u{308}", .null)]))
        #expect(throws: ClientError.self) { try merged.merging(.dictionary([("ä", .null)])) }
    }

    @Test func encodesBothFieldsWhoseNamesLookTheSame() throws {
        struct Alike: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: JSONKey.self)
                try container.encode(1, forKey: "ä")
                try container.encode(2, forKey: "a\u{308}")
            }
        }
        #expect(try pairs(Alike()).map { Array($0.utf8) } == ["ä=1", "a\u{308}=2"].map { Array($0.utf8) })
    }

    private func pairs(_ value: some Encodable, _ style: ParameterStyle = ParameterStyle()) throws -> [String] {
        try [ParameterPair](ParameterEncoder.encode(value), style: style).map { "\($0.name)=\($0.text)" }
    }

    struct Filter: Encodable {
        var userName = "Ada"
        var page: Int?
        var tags = ["b", "a"]
        var isNew = true
        var ratio = 0.5
    }

    @Test func encodesPropertiesInOrderAndOmitsNil() throws {
        #expect(try pairs(Filter()) == ["userName=Ada", "tags=b", "tags=a", "isNew=true", "ratio=0.5"])
        #expect(try pairs(Filter(page: 2)).contains("page=2"))
        #expect(try pairs(Filter?.none) == [])
    }

    @Test func omitsExplicitNull() throws {
        struct Explicit: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: JSONKey.self)
                try container.encodeNil(forKey: JSONKey("a"))
                try container.encode([1, nil, 3], forKey: JSONKey("b"))
            }
        }
        #expect(try pairs(Explicit()) == ["b=1", "b=3"])
    }

    @Test func encodesArraysPerStyle() throws {
        struct Value: Encodable {
            var a = [1, 2]
            var none: [Int] = []
        }
        #expect(try pairs(Value()) == ["a=1", "a=2"])
        #expect(try pairs(Value(), .init(arrays: .brackets)) == ["a[]=1", "a[]=2"])
        #expect(try pairs(Value(), .init(arrays: .commas)) == ["a=1,2"])
        #expect(try pairs(Value(a: [])) == [])
    }

    @Test func escapesCommasOnlyInsideJoinedValues() throws {
        let node = try ParameterEncoder.encode(["a": ["1,5", "2"]])
        let pairs = try [ParameterPair](node, style: .init(arrays: .commas))
        #expect(pairs.escaped(.value) == "a=1%2C5,2")
        #expect(pairs.escaped(.form) == "a=1%2C5,2")
    }

    @Test func encodesNestedValuesWithBracketedNames() throws {
        struct Place: Encodable {
            var city = "Bern"
            var geo = ["lat": 46.9]
        }
        struct Value: Encodable {
            var home = Place()
            var visited = [Place(city: "Ulm", geo: [:]), Place(city: "Rom", geo: [:])]
            var grid = [[1, 2], [3]]
        }
        let expected = [
            "home[city]=Bern", "home[geo][lat]=46.9", "visited[0][city]=Ulm", "visited[1][city]=Rom", "grid[0]=1",
            "grid[0]=2", "grid[1]=3",
        ]
        #expect(try pairs(Value()) == expected)
    }

    @Test(arguments: [
        ("userName", "user_name"), ("URLPath", "url_path"), ("userID", "user_id"), ("id", "id"), ("ID", "id"),
        ("a", "a"), ("myURLSession", "my_url_session"), ("_private", "_private"), ("user_name", "user_name"),
        ("version2Name", "version2_name"), ("isHTML", "is_html"), ("größeÄnderung", "größe_änderung"), ("", ""),
        ("__A", "__a"), ("aB_C", "a_b_c"),
    ])
    func convertsKeysToSnakeCase(key: String, expected: String) {
        #expect(ParameterStyle.Keys.snakeCase.spelling(of: key) == expected)
    }

    @Test func appliesKeyStyleAtEachDepth() throws {
        struct Outer: Encodable {
            struct Inner: Encodable { var URLPath = "/" }
            var userName = Inner()
        }
        #expect(try pairs(Outer(), .init(keys: .snakeCase)) == ["user_name[url_path]=/"])
        #expect(try pairs(Outer(), .init(keys: .custom { $0.uppercased() })) == ["USERNAME[URLPATH]=/"])
    }

    @Test func preservesAndSortsDictionaryKeys() throws {
        let value = Dictionary(uniqueKeysWithValues: "hgfedcbA".map { ("x\($0)", 1) })
        #expect(try pairs(value, .init(keys: .snakeCase)) == value.keys.sorted().map { "\($0)=1" })
        #expect(try pairs(["set": Set(0..<9)]) == (0..<9).map { "set=\($0)" })
    }

    @Test func encodesSingleValuesAsPlainText() throws {
        enum Order: String, Encodable { case newest }
        struct Value: Encodable {
            var order = Order.newest
            var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
            var url = URL(string: "https://h/a?b")
            var price = Decimal(string: "0.10")
            var data = Data([0xFB, 0xFF])
            var byte = UInt8(255)
            var float = Float(0.1)
        }
        let expected = [
            "order=newest", "id=E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "url=https://h/a?b", "price=0.1", "data=+/8=",
            "byte=255", "float=0.1",
        ]
        #expect(try pairs(Value()) == expected)
    }

    @Test func encodesDatesPerStyle() throws {
        let value = ["at": Date(timeIntervalSince1970: 1_000_000_000.5)]
        #expect(try pairs(value) == ["at=2001-09-09T01:46:40Z"])
        #expect(try pairs(value, .init(dates: .seconds)) == ["at=1000000000"])
        #expect(try pairs(value, .init(dates: .milliseconds)) == ["at=1000000000500"])
        #expect(try pairs(value, .init(dates: .custom { "\($0.timeIntervalSince1970)" })) == ["at=1000000000.5"])
        #expect(throws: ClientError.self) {
            try pairs(["at": Date(timeIntervalSince1970: .nan)], .init(dates: .seconds))
        }
    }

    @Test func mergesSubclassProperties() throws {
        class Paging: Encodable { var page = 1 }
        final class Search: Paging {
            var text = "a"
            enum Keys: CodingKey { case text, page }
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(text, forKey: .text)
                // Encoded again: the last value wins.
                try container.encode(2, forKey: .page)
            }
        }
        #expect(try pairs(Search()) == ["page=2", "text=a"])
    }

    @Test func supportsManualEncoding() throws {
        struct ByHand: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: JSONKey.self)
                var fields = container.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey("f"))
                try fields.encode(1, forKey: JSONKey("x"))
                var list = container.nestedUnkeyedContainer(forKey: JSONKey("l"))
                try list.encode("a")
                #expect(list.count == 1)
                var inner = list.nestedContainer(keyedBy: JSONKey.self)
                try inner.encode(2, forKey: JSONKey("y"))
                var deep = list.nestedUnkeyedContainer()
                try deep.encodeNil()
                try deep.encode(3)
                try true.encode(to: list.superEncoder())
                try "s".encode(to: container.superEncoder())
            }
        }
        #expect(try pairs(ByHand()) == ["f[x]=1", "l[1][y]=2", "l[2]=3", "l=a", "l=true", "super=s"])
    }

    @Test func rejectsMixedContainerKinds() {
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(1)
                _ = encoder.unkeyedContainer()
                var keyed = encoder.container(keyedBy: JSONKey.self)
                try keyed.encode(2, forKey: JSONKey("a"))
            }
        }
        let error = #expect(throws: ClientError.self) { try pairs(Both()) }
        #expect(error?.code == .invalidParameters)
    }

    /// A server decodes the original names and values, whatever characters they contain.
    @Test func roundTripsThroughQueryParsing() throws {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<500 {
            let value = Dictionary((0..<4).map { _ in (generator.text(), generator.text()) }) { $1 }
            let pairs = try [ParameterPair](ParameterEncoder.encode(value), style: ParameterStyle())
            for part in [URLPart.value, .form] {
                let call = Client("https://h").get("/?\(raw: pairs.escaped(part))")
                let parsed = StubLocation(of: try call.request()).query
                #expect(Dictionary(parsed.map { ($0.name, $0.value) }) { $1 } == value)
            }
        }
    }

    @Test func snakeCaseIsIdempotent() {
        var generator = SeededGenerator(seed: 14)
        for _ in 0..<500 {
            let key = String(
                (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
                    "aBcDÄö_1X".randomElement(using: &generator) ?? "a"
                }
            )
            let snake = ParameterStyle.Keys.snakeCase.spelling(of: key)
            #expect(ParameterStyle.Keys.snakeCase.spelling(of: snake) == snake)
            #expect(snake.filter { $0 != "_" } == key.lowercased().filter { $0 != "_" })
        }
    }
}
