// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@Suite struct CanonicalJSONTests {
    @Test(arguments: [
        (#"{"b": 1, "a": [1, 2]}"#, #"{"a":[1,2],"b":1}"#),
        ("\u{FEFF} [ ]\n", "[]"),
        ("{}", "{}"),
        (#"[{},[],"",0,true,false,null]"#, #"[{},[],"",0,true,false,null]"#),
        (#"{"a":1,"a":2}"#, #"{"a":2}"#),
        (#"{"b":0,"a":1,"b":{"d":1,"c":2},"a":3}"#, #"{"a":3,"b":{"c":2,"d":1}}"#),
        (#"{"ab":1,"a":2,"a\"":3}"#, #"{"a":2,"a\"":3,"ab":1}"#),
        (#"{"\u0061":1}"#, #"{"a":1}"#),
        (#""\u00e9\/\ud83d\ude00""#, #""é/😀""#),
        (#""\b\f\n\r\t\"\\""#, #""\u0008\u000c\u000a\u000d\u0009\"\\""#),
        (#""\ud83d""#, #""\ud83d""#),
        (#""\uD83D\u0041""#, #""\ud83dA""#),
    ])
    func normalizesValues(text: String, canonical: String) {
        #expect(canonicalJSON(text) == canonical)
    }

    @Test(arguments: [
        ("1", "1"), ("1.0", "1"), ("10e-1", "1"), ("0.1e1", "1"), ("1E+0", "1"),
        ("100", "100"), ("1e2", "100"), ("1.5", "1.5"), ("15e-1", "1.5"), ("0.015e2", "1.5"),
        ("-0", "0"), ("0.000", "0"), ("0e99", "0"), ("-1.50", "-1.5"), ("0.001", "0.001"), ("1e-3", "0.001"),
        ("1e400", "1e400"), ("10e399", "1e400"), ("1e401", "1e401"), ("1e-400", "1e-400"),
        ("100000000000000000001", "100000000000000000001"), ("1.00000000000000000001", "1.00000000000000000001"),
        ("9007199254740993", "9007199254740993"), ("1000000000000000000000000", "1e24"),
        ("1e0000000000000000000000002", "100"), ("0e99999999999999999999999", "0"),
        ("10e99999999999999999999999", "1e100000000000000000000000"),
        ("1e100000000000000000000000", "1e100000000000000000000000"),
        ("0.1e100000000000000000", "1e99999999999999999"), ("1e+99999999999999999", "1e99999999999999999"),
        ("-0.001e-9999999999999999998", "-1e-10000000000000000001"),
        ("1000e-1000000000000000001", "1e-999999999999999998"), ("10e-100000000000000000", "1e-99999999999999999"),
    ])
    func normalizesNumbers(text: String, canonical: String) {
        #expect(canonicalJSON(text) == canonical)
    }

    @Test(arguments: ["", "{", #"{"a":1,}"#, "01", "nul", "[1] 2", #""\x""#, "a=1"])
    func returnsNilForInvalidJSON(text: String) {
        #expect(canonicalJSON(text) == nil)
    }

    @Test func returnsNilForDeepNesting() {
        let deepest = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(canonicalJSON(deepest) == deepest)
        #expect(canonicalJSON("[\(deepest)]") == nil)
        let endless = String(repeating: "[", count: 1_000_000)
        #expect(canonicalJSON(endless) == nil)
    }

    @Test func isIdempotentAndIndependentOfSpelling() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            let value = JSONSample(depth: 3, using: &random)
            let one = canonicalJSON(value.spelled(using: &random))
            let other = canonicalJSON(value.spelled(using: &random))
            #expect(one != nil && one == other)
            #expect(one.flatMap { canonicalJSON($0) } == one)
        }
    }
}

/// A random JSON value that can be spelled in many ways.
indirect enum JSONSample {
    case object([(String, JSONSample)])
    case array([JSONSample])
    case string(String)
    case number(Int)
    case word(String)

    init(depth: Int, using random: inout SeededGenerator) {
        switch Int.random(in: depth > 0 ? 0...4 : 2...4, using: &random) {
        case 0:
            var members: [(String, JSONSample)] = []
            for name in ["a", "b", "é", "a/b"].shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)) {
                members.append((name, JSONSample(depth: depth - 1, using: &random)))
            }
            self = .object(members)
        case 1:
            var elements: [JSONSample] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                elements.append(JSONSample(depth: depth - 1, using: &random))
            }
            self = .array(elements)
        case 2: self = .string(["", "x", "é\n"].randomElement(using: &random) ?? "")
        case 3: self = .number(Int.random(in: -20...20, using: &random) * 5)
        default: self = .word(["true", "false", "null"].randomElement(using: &random) ?? "null")
        }
    }

    /// A random spelling of the value.
    func spelled(using random: inout SeededGenerator) -> String {
        let space = ["", " ", "\n"].randomElement(using: &random) ?? ""
        switch self {
        case .object(let members):
            var texts: [String] = []
            for (name, value) in members.shuffled(using: &random) {
                texts.append("\(space)\(Self.spelled(name, using: &random))\(space):\(value.spelled(using: &random))")
            }
            return "{\(texts.joined(separator: ","))\(space)}"
        case .array(let elements):
            var texts: [String] = []
            for element in elements { texts.append(space + element.spelled(using: &random)) }
            return "[\(texts.joined(separator: ","))\(space)]"
        case .string(let text): return Self.spelled(text, using: &random)
        case .number(let number):
            return ["\(number)", "\(number).0", "\(number * 10)e-1", "\(number)E+0"].randomElement(using: &random)
                ?? "0"
        case .word(let word): return word
        }
    }

    private static func spelled(_ text: String, using random: inout SeededGenerator) -> String {
        var spelled = "\""
        for unit in text.utf16 {
            if Bool.random(using: &random) || unit < 0x20 {
                let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
                spelled += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else if let scalar = Unicode.Scalar(unit) {
                spelled += scalar == "/" ? "\\/" : String(scalar)
            }
        }
        return spelled + "\""
    }
}
