// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseDocuments
internal import RepriseText

/// Formats values as Java's `String.format`.
enum JavaFormat {
    /// A conversion: `%-5s`, `%2$05.1f`.
    private struct Conversion {
        var position: Int?
        var flags: Set<Character> = []
        var width = 0
        var precision: Int?
        var letter: Character = "s"
    }

    static func text(
        _ format: String,
        _ values: [TemplateValue],
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> String {
        var result = ""
        var rest = Substring(format)
        var next = 0
        while let first = rest.popFirst() {
            guard first == "%" else {
                result.append(first)
                continue
            }
            let conversion = try conversion(&rest)
            if conversion.letter == "%" || conversion.letter == "n" {
                result += conversion.letter == "%" ? "%" : "\n"
                continue
            }
            let index = conversion.position.map { $0 - 1 } ?? next
            if conversion.position == nil { next += 1 }
            guard values.indices.contains(index) else {
                throw TemplateFailure(
                    "expected a value for each conversion of '\(format.prefix(60))'; add the missing values"
                )
            }
            result += padded(try text(of: values[index], conversion, call), conversion)
            try call.renderer.checkSize(result.utf8.count)
        }
        return result
    }

    private static func conversion(_ rest: inout Substring) throws(TemplateFailure) -> Conversion {
        var conversion = Conversion()
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty, !digits.hasPrefix("0"), rest.dropFirst(digits.count).first == "$" {
            conversion.position = Int(digits)
            rest = rest.dropFirst(digits.count + 1)
        }
        while let flag = rest.first, "-+ 0,(#".contains(flag) {
            conversion.flags.insert(flag)
            rest.removeFirst()
        }
        let width = rest.prefix { $0.isASCII && $0.isNumber }
        conversion.width = width.isEmpty ? 0 : Int(width) ?? 100_000
        rest = rest.dropFirst(width.count)
        if rest.first == "." {
            let precision = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            conversion.precision = Int(precision) ?? 100_000
            rest = rest.dropFirst(1 + precision.count)
        }
        guard let letter = rest.popFirst(), "sSdxXofFeEbBn%".contains(letter), conversion.width <= 10_000,
            conversion.precision ?? 0 <= 300
        else {
            throw TemplateFailure(
                "expected a conversion such as %s, %d, %x, or %.2f, found another one; correct the format"
            )
        }
        conversion.letter = letter
        return conversion
    }

    private static func text(
        of value: TemplateValue,
        _ conversion: Conversion,
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> String {
        switch conversion.letter {
        case "s", "S":
            let full = value.isNull ? "null" : try call.text(value)
            let text = conversion.precision.map { String(full.prefix($0)) } ?? full
            return conversion.letter == "S" ? text.uppercased() : text
        case "b", "B":
            if case .bool(let value) = value { return value ? "true" : "false" }
            return value.isNull ? "false" : "true"
        case "d":
            guard case .integer(let integer) = value else {
                throw call.failure(expected: "an integer for %d", found: value, "use %s")
            }
            return signed(String(integer.magnitude), integer < 0, conversion)
        case "x", "X", "o":
            guard case .integer(let integer) = value else {
                throw call.failure(expected: "an integer for %x", found: value, "use %s")
            }
            let bits =
                Int32(exactly: integer).map { UInt64(UInt32(bitPattern: $0)) } ?? UInt64(bitPattern: Int64(integer))
            return zeroPadded(
                String(bits, radix: conversion.letter == "o" ? 8 : 16, uppercase: conversion.letter == "X"),
                conversion
            )
        default: return try decimal(value, conversion, call)
        }
    }

    private static func decimal(
        _ value: TemplateValue,
        _ conversion: Conversion,
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> String {
        let double: Double
        switch value {
        case .double(let value): double = value
        case .number(let number): double = number.double
        default: throw call.failure(expected: "a number with a point for %f", found: value, "use %s or %d")
        }
        let precision = conversion.precision ?? 6
        if conversion.letter == "e" || conversion.letter == "E" {
            let text = String(format: "%.\(precision)e", double.magnitude)
            return signed(conversion.letter == "E" ? text.uppercased() : text, double < 0, conversion)
        }
        return signed(NumberFormats.fixed(double.magnitude, digits: precision), double < 0, conversion)
    }

    private static func signed(_ digits: String, _ isNegative: Bool, _ conversion: Conversion) -> String {
        var digits = digits
        if conversion.flags.contains(",") { digits = NumberFormats.grouped(digits) }
        if isNegative, conversion.flags.contains("(") { return "(\(zeroPadded(digits, conversion, room: 2)))" }
        let sign = isNegative ? "-" : conversion.flags.contains("+") ? "+" : conversion.flags.contains(" ") ? " " : ""
        return sign + zeroPadded(digits, conversion, room: sign.count)
    }

    private static func zeroPadded(_ digits: String, _ conversion: Conversion, room: Int = 0) -> String {
        conversion.flags.contains("0") ? RepriseText.zeroPadded(digits, conversion.width - room) : digits
    }

    private static func padded(_ text: String, _ conversion: Conversion) -> String {
        let space = String(repeating: " ", count: max(0, conversion.width - text.count))
        return conversion.flags.contains("-") ? text + space : space + text
    }
}
