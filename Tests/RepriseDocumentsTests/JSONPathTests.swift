// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseText
import Testing

@Suite struct JSONPathTests {
    /// The results are those of Jayway's JsonPath, but for a few that the comments name.
    private static let document = #"""
        {"store":{"book":[{"author":"N","title":"S","price":8.95},
        {"author":"E W","title":"H","price":12.99,"isbn":"0-553"},
        {"author":"H","title":"M","price":8,"isbn":null,"tags":["a","b"]}],"bicycle":{"color":"red","price":19.95}},
        "n":[3,1,2],"e":[],"s":"hello","z":null,"nn":[[1,2],[3,4]],"a b":1,"a'b":2,"num":"10","ten":10,
        "strs":["x","y"],"dup":{"a":{"a":{"a":1}}},
        "k":[{"v":1},{"v":"1"},{"v":1.0},{"v":null},{},{"v":true},{"v":[]},{"v":[1]},{"v":{}},{"v":""}]}
        """#

    private func evaluate(_ path: String, _ document: String = JSONPathTests.document) throws -> JSONPath.Result {
        try JSONPath(path).evaluate(JSONTree(parsing: Array(document.utf8)), budget: WorkBudget()) {
            $0 == $1 || ($0 == "E.*" && $1.hasPrefix("E")) || $0.lowercased() == "(?i)" + $1.lowercased()
        }
    }

    private func text(_ result: JSONPath.Result) -> String {
        result.tree.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "missing"
    }

    @Test(arguments: [
        ("$.s", #""hello""#), ("s", #""hello""#), ("@.s", #""hello""#), ("$.s ", #""hello""#), ("$['s']", #""hello""#),
        (#"$[ "s" ]"#, #""hello""#), ("$.z", "null"), ("$.z.x", "missing"), ("$.none", "missing"),
        ("$['a b']", "1"), (#"$["a'b"]"#, "2"), (#"$['a\'b']"#, "2"), (#"$['\u0073']"#, #""hello""#),
        (#"$['\ud800']"#, "missing"),
        ("store.book[0].title", #""S""#), ("$.store.book[-1].title", #""M""#), ("$.store.book[-4].title", "missing"),
        ("$.n[ 1 ]", "1"), ("$.n[7]", "missing"), ("$.s[0]", "missing"), ("$.n['0']", "missing"),
        ("$.store.book[0]title", #""S""#), ("$['s','num']", #"{"s":"hello","num":"10"}"#),
        ("$['s','none']", #"{"s":"hello"}"#),
        ("$.n.length()", "3"), ("$.store.size()", "2"), ("$.s.length()", "null"), ("$.n.min()", "1.0"),
        ("$.n.max()", "3.0"), ("$.n.avg()", "2.0"), ("$.n.sum()", "6.0"), ("$.n.stddev()", "0.8164965809277263"),
        ("$.e.sum()", "missing"), ("$.n.append(4)", "[3,1,2,4]"), ("$.strs.concat()", #""xy""#),
        (#"$.concat($.s, "x")"#, #""hellox""#), ("$.sum($.n, 4)", "10.0"), ("$.sum($..price)", "49.89"),
        ("$.store.keys()", #"["book","bicycle"]"#), ("$.n.first()", "3"), ("$.n.last()", "2"), ("$.n.index(-2)", "1"),
        ("$..price.max()", "19.95"), ("$..book.length()", "3"), ("$.n.sum().x", "missing"),
    ])
    func definitePathFindsOneValue(path: String, expected: String) throws {
        #expect(try JSONPath(path).isDefinite)
        #expect(text(try evaluate(path)) == expected)
    }

    @Test(arguments: [
        ("$.store.book[0,2].title", #"["S","M"]"#), ("$.store.book[0, 7].title", #"["S"]"#), ("$.n[-1,0]", "[2,3]"),
        ("$.n[1:]", "[1,2]"), ("$.n[:2]", "[3,1]"), ("$.n[0:2]", "[3,1]"), ("$.n[-2:]", "[1,2]"), ("$.n[:-1]", "[3,1]"),
        ("$.n[-3:-1]", "[3,1]"), ("$.n[-1:1]", "[2,3]"), ("$.n[1:-1]", "[]"), ("$.n[5:]", "[]"),
        ("$.n[-10:]", "[3,1,2]"),
        ("$.n[0:3:2]", "[3,1,2]"), ("$.n[:3:2]", "[3,1,2]"), ("$.n[2147483647:-2147483648]", "[]"),
        ("$.store.book[*].title", #"["S","H","M"]"#), ("$.store.book.*.price", "[8.95,12.99,8]"), ("$.s.*", "[]"),
        ("$.z[*]", "[]"), ("$.none[*]", "missing"), ("$.s[0:1]", "missing"), ("$.none[?(@.x)]", "missing"),
        ("$..price", "[8.95,12.99,8,19.95]"), ("$.store..price", "[8.95,12.99,8,19.95]"),
        (".price", "[8.95,12.99,8,19.95]"),
        ("$..a..a", #"[{"a":1},1,1]"#), ("$.nn..[0]", "[[1,2],1,3]"), ("$..none", "[]"), ("$.nn[*][*]", "[1,2,3,4]"),
        ("$.store.book[*]['title','isbn']", #"[{"title":"S"},{"title":"H","isbn":"0-553"},{"title":"M","isbn":null}]"#),
        ("$['store','dup'].a", #"[{"a":{"a":1}}]"#), ("$..['title','price'].x", "[]"), ("$.nn[*].sum()", "[3.0,7.0]"),
        ("$.nn..*", "[[1,2],[3,4],1,2,3,4]"), ("$.n[*].sum()", "missing"),
    ])
    func indefinitePathFindsList(path: String, expected: String) throws {
        #expect(try !JSONPath(path).isDefinite)
        #expect(text(try evaluate(path)) == expected)
    }

    @Test(arguments: [
        ("@.price < 10", "S M"), ("@.price<=8.950", "S M"), ("@.price < $.ten", "S M"), ("@['price'] > 10", "H"),
        ("@.isbn", "H M"), ("!@.isbn", "S"), ("!(@.isbn)", "S"), ("@.isbn == null", "M"), ("@.isbn != null", "S H"),
        ("@.isbn && @.price > 10", "H"), ("@.price < 8.5 || @.price > 10 && @.title == 'H'", "H M"),
        ("(@.price < 8.5 || @.price > 10) && @.title == 'H'", "H"), ("@.title=='H'&&@.price>1", "H"),
        ("@.author =~ /e w/i", "H"), ("@.author =~ /E.*/", "H"), ("/E.*/ =~ @.author", "H"), ("@.author =~ /E/", ""),
        ("@.author in ['H','N']", "S M"), ("@.author NIN ['H', 'N']", "H"), ("'x' in $.strs", "S H M"),
        ("@.tags contains 'a'", "M"), ("@.title contains 'S'", "S"), ("@.tags size 2", "M"),
        ("@.tags empty false", "M"),
        ("@.tags subsetof ['a','b','c']", "M"), ("@.tags anyof ['a']", "M"), ("@.tags noneof ['q']", "M"),
        ("@.tags all ['b']", "M"), ("@.tags == ['a', \"b\"]", "M"), ("@.tags[0] == 'a'", "M"),
        ("@.tags[?(@ == 'a')]", "M"), ("@.title == $.store.book[1].title", "H"), ("@.length() == 4", "H"),
        ("1 == 1", "S H M"), ("@.none == @.none", ""),
    ])
    func filterSelects(filter: String, titles: String) throws {
        let expected = titles.split(separator: " ").map { JSONTree.string(String($0)) }
        #expect(try evaluate("$.store.book[?(\(filter))].title") == .list(expected))
    }

    @Test(arguments: [
        ("== 1", #"1 "1" 1.0"#), ("== 1.0", "1 1.0"), ("== '1'", #"1 "1" 1.0"#), ("=== 1", "1 1.0"),
        ("=== '1'", #""1""#),
        ("== true", "true"), ("== null", "null"), ("== []", "[]"), ("== [1]", "[1]"), ("== {}", "{}"), ("> 0", "1 1.0"),
        ("> '0'", #""1""#), (">= 1", "1 1.0"), ("size 0", #"[] """#), ("size 1", #""1" [1]"#),
        ("in [1]", #"1 "1" 1.0"#),
        ("empty true", #"[] {} """#),
    ])
    func comparisonDependsOnTypes(comparison: String, values: String) throws {
        guard case .list(let found) = try evaluate("$.k[?(@.v \(comparison))].v") else { return #expect(Bool(false)) }
        #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: " ") == values)
    }

    @Test func filterAppliesToObjectItself() throws {
        #expect(try text(evaluate("$.store.bicycle[?(@.color == 'red')].price")) == "[19.95]")
        #expect(try text(evaluate("$.store.bicycle[?(@.color == 'blue')]")) == "[]")
        #expect(try text(evaluate("$.s[?(@ == 'hello')]")) == "missing")
        #expect(try text(evaluate("$..[?(@.price < 8.5)].title")) == #"["M"]"#)
    }

    @Test(arguments: [
        ("", 0, "expected a path such as $.name, found the end"),
        ("$.", 2, "expected a name, '*', or '[', found the end"),
        ("$x", 1, "expected '.' or '[', found 'x'"),
        ("$...a", 3, "expected a name, found '.'"),
        ("$.a b", 3, "expected a name without spaces; write it in brackets: ['a name']"),
        ("$.n[a]", 4, "expected a number, a name in quotes, '*', or '?(', found 'a'"),
        ("$.n[1", 5, "expected ']', found the end"),
        ("$.n[:]", 5, "expected a bound such as 0:, found neither"),
        ("$.n[::2]", 7, "expected a bound such as 0:, found neither"),
        (" $.n", 0, "expected a path such as $.name, found white space"),
        ("$['a", 2, "expected a closing quote"),
        ("$.n[99999999999]", 4, "expected a 32-bit integer, found '9'"),
        ("$.n[?(@.a = 1)]", 10, "expected one of the operators"),
        (
            "$.n[?(@.a == )]", 13,
            "expected a path, a number, a string in quotes, true, false, null, or a list, found ')'"
        ),
        ("$.n[?(1)]", 7, "expected an operator such as ==, found ')'"),
        ("$.n[?(@.a == 1]", 14, "expected ')', found ']'"),
        ("$.n[?(@.a =~ /x)]", 13, "expected '/' at the end of the regular expression"),
        ("$.n.total()", 4, "expected one of the functions"),
        ("$.n.sum(", 8, "expected a path, a number"),
        ("$.n[?(@.a == 'b\\", 13, "expected a closing quote"),
        (#"$['\u12']"#, 7, #"expected four hexadecimal digits after \u, found"#),
        (#"$['\u+073']"#, 5, #"expected four hexadecimal digits after \u, found '+'"#),
        (#"$.n[?(@.a == "\u00G0")]"#, 18, #"expected four hexadecimal digits after \u, found 'G'"#),
    ])
    func invalidPathIsLocated(path: String, offset: Int, message: String) {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(path) }
        #expect(error?.offset == offset)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        "$.n[?(" + String(repeating: "(", count: 10_000), "$.n[?(" + String(repeating: "!", count: 10_000),
        "$.n[?(@ == " + String(repeating: "[", count: 10_000), String(repeating: "$.a[?(@", count: 5_000),
        String(repeating: ".a", count: 5_000), "$.a" + String(repeating: " ", count: 100_000) + "b",
        "$.sum(" + String(repeating: "$.sum(", count: 1_000),
    ])
    func deepOrLongPathIsRejected(path: String) {
        #expect(throws: JSONPathError.self) { try JSONPath(path) }
    }

    @Test func patternsAreListed() throws {
        let path = try JSONPath(#"$.a[?(@.b =~ /x\/y/i || @.c[?(@ =~ /z/)])]"#)
        #expect(path.patterns == [.init(#"x\/y"#, flags: "i"), .init("z")])
        #expect(path.patterns.map(\.text) == [#"(?i)x\/y"#, "z"])
    }

    @Test(arguments: ["$..*..*..*..*", "$.*[?(@..* == $..*)]", "$..[?($.* contains @)]..*"])
    func evaluationEndsWithItsSteps(path: String) throws {
        let tree = JSONTree.array((0..<1000).map { .array([.number(JSONNumber($0)), .array([.object([])])]) })
        for (budget, limit) in [(WorkBudget(steps: 20_000), Int.max), (WorkBudget(), 20_000)] {
            #expect(try JSONPath(path).evaluate(tree, budget: budget, limit: limit) { _, _ in false } == .missing)
            #expect(budget.refusals == 1 && !budget.isInterrupted)
        }
    }

    @Test(arguments: [
        ("$[?(@.a)]", "5", JSONPath.Result.inapplicable), ("$.a[?(@.b)]", #"{"a":"s"}"#, .inapplicable),
        ("$[?(@.a)].b", "true", .inapplicable), ("$[?(@.a)]", "null", .missing), ("$[?(@.a)]", "[]", .list([])),
        ("$[*]", "5", .list([])), ("$[0,1]", "5", .missing),
    ])
    func filterDoesNotApplyToScalar(path: String, document: String, result: JSONPath.Result) throws {
        #expect(try evaluate(path, document) == result)
    }

    @Test func deepDocumentIsScanned() throws {
        let depth = 400
        let text = String(repeating: #"{"a":["#, count: depth / 2) + "1" + String(repeating: "]}", count: depth / 2)
        guard case .list(let found) = try evaluate("$..a..*", text) else { return #expect(Bool(false)) }
        #expect(found.count > depth)
    }
}
