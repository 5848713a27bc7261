// SPDX-License-Identifier: Apache-2.0

import RepriseTemplates
import Testing

struct RandomHelpersTests {
    /// Returns what a template renders with many seeds.
    private func values(_ template: String) throws -> Set<String> {
        var context = Rendering.context
        return Set(
            try (0..<300 as Range<UInt64>).map { seed in
                context.seed = seed
                return try Rendering.render(template, context)
            }
        )
    }

    /// The upper bound is not a value.
    @Test(
        arguments: [
            ("{{randomInt lower=5 upper=7}}", ["5", "6"]), ("{{randomInt lower=-3 upper=-1}}", ["-3", "-2"]),
            ("{{randomInt lower='-1' upper='1'}}", ["-1", "0"]), ("{{pickRandom 1 2 3}}", ["1", "2", "3"]),
            ("{{pickRandom (array 'a' 'b')}}", ["a", "b"]), ("{{pickRandom 'a'}}", ["a"]),
            ("{{pickRandom (range 1 2) count=2}}", ["[1, 2]", "[2, 1]"]),
            ("{{pickRandom (range 1 2) count=1}}", ["[1]", "[2]"]),
            ("{{pickRandom (range 1 2) count=0}}", ["1", "2"]), ("{{randomValue length=0}}", [""]),
            (
                "{{pickRandom request.none}}",
                ["[ERROR: Must specify either a single list argument or a set of single value arguments.]"]
            ),
        ] as [(String, Set<String>)]
    )
    func onlyTheseAreChosen(template: String, expected: Set<String>) throws {
        #expect(try values(template) == expected)
    }

    @Test(
        arguments: [
            ("{{randomValue}}", 36, "abcdefghijklmnopqrstuvwxyz0123456789"),
            ("{{randomValue length=5 type='ALPHABETIC'}}", 5, "abcdefghijklmnopqrstuvwxyz"),
            ("{{randomValue length=5 type='ALPHABETIC' uppercase=true}}", 5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            ("{{randomValue length=7 type='NUMERIC'}}", 7, "0123456789"),
            ("{{randomValue length=9 type='HEXADECIMAL'}}", 9, "0123456789abcdef"),
            ("{{randomValue length=9 type='HEXADECIMAL' uppercase='TRUE'}}", 9, "0123456789ABCDEF"),
            (
                "{{{randomValue length=200 type='ALPHANUMERIC_AND_SYMBOLS'}}}", 200,
                "!\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
            ),
        ] as [(String, Int, String)]
    )
    func textHasAllCharactersOfItsType(template: String, length: Int, characters: String) throws {
        let values = try values(template)
        #expect(values.allSatisfy { $0.count == length })
        #expect(Set(values.joined()) == Set(characters))
    }

    /// RFC 9562, version 4.
    @Test(arguments: [("false", "-4", "89ab"), ("true", "-4", "89AB")])
    func uuidHasVersionAndVariant(isUppercase: String, version: String, variants: String) throws {
        let values = try values("{{randomValue type='UUID' uppercase=\(isUppercase)}}")
        #expect(values.count == 300)
        for value in values {
            let parts = value.split(separator: "-")
            #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
            #expect(parts[2].first == "4")
            #expect(value == (isUppercase == "true" ? value.uppercased() : value.lowercased()))
        }
        #expect(Set(values.compactMap { $0.split(separator: "-")[3].first }) == Set(variants))
    }

    @Test func decimalIsWithinItsBounds() throws {
        let numbers = try values("{{randomDecimal lower=-1.5 upper='2'}}").compactMap { Double($0) }
        #expect(numbers.count == 300)
        #expect(numbers.allSatisfy { $0 >= -1.5 && $0 < 2 })
        #expect(numbers.contains { $0 < 0 } && numbers.contains { $0 > 1 })
        #expect(try values("{{randomInt}}").compactMap { Int32($0) }.count == 300)
    }

    @Test(arguments: [
        "{{randomInt lower=1 upper=1}}", "{{randomInt lower=2 upper=1}}", "{{randomDecimal lower=1 upper=1}}",
        "{{randomDecimal lower='x'}}", "{{randomInt lower='x'}}", "{{randomValue length='5'}}",
        "{{randomValue length=-1}}", "{{pickRandom (array)}}", "{{pickRandom 1 request.none}}",
    ])
    func invalidBoundFails(template: String) {
        #expect(throws: TemplateFailure.self) { try Rendering.render(template) }
    }
}
