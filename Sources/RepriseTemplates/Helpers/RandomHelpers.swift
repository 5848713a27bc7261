// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Random values.
enum RandomHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "randomValue": .value(randomValue),
        "randomInt": .value(randomInt),
        "randomDecimal": .value(randomDecimal),
        "pickRandom": .value(pickRandom),
    ]

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    private static let digits = Array("0123456789".utf8)
    private static let symbols = (0x21...0x7E).filter { !(0x41...0x5A ~= $0) }.map { UInt8($0) }

    @Sendable private static func randomValue(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let length: Int
        switch try call.option("length") {
        case nil: length = 36
        case .integer(let value): length = value
        case let value?:
            throw call.failure(expected: "an integer as the length", found: value, "write it without quotes")
        }
        guard length >= 0 else {
            throw call.failure(expected: "a length of at least 0", found: .integer(length), "use a positive number")
        }
        try call.renderer.checkSize(length)
        try call.renderer.charge(length / 64 + 1, units: 2 * min(length, 1 << 40))
        let type = try call.optionText("type")
        let characters: [UInt8]
        switch type ?? "ALPHANUMERIC" {
        case "ALPHANUMERIC": characters = letters + digits
        case "ALPHABETIC": characters = letters
        case "NUMERIC": characters = digits
        case "HEXADECIMAL": characters = Array("0123456789abcdef".utf8)
        case "UUID": return .string(cased(uuid(call), try call.flag("uppercase")))
        default: characters = symbols
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        for _ in 0..<length {
            bytes.append(characters[Int.random(in: 0..<characters.count, using: &call.renderer.random)])
        }
        return .string(cased(String(decoding: bytes, as: UTF8.self), try call.flag("uppercase")))
    }

    private static func cased(_ text: String, _ isUppercase: Bool) -> String { isUppercase ? text.uppercased() : text }

    /// Returns a random UUID (RFC 9562 section 5.4).
    private static func uuid(_ call: HelperInvocation) -> String {
        let high = (call.renderer.random.next() & ~0xF000) | 0x4000
        let low = (call.renderer.random.next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        return UUIDText.text(of: high, low)
    }

    @Sendable private static func randomInt(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let lower = try bound("lower", call) ?? Int(Int32.min)
        let upper = try bound("upper", call) ?? Int(Int32.max)
        guard lower < upper else { throw emptyRange }
        return .integer(Int.random(in: lower..<upper, using: &call.renderer.random))
    }

    private static func bound(_ name: String, _ call: HelperInvocation) throws(TemplateFailure) -> Int? {
        guard let value = try call.option(name) else { return nil }
        return try NumberHelpers.integer(value, call)
    }

    private static let emptyRange = TemplateFailure("expected 'upper' greater than 'lower'; exchange the bounds")

    @Sendable private static func randomDecimal(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let lower = try decimal("lower", call) ?? Double.leastNonzeroMagnitude
        let upper = try decimal("upper", call) ?? Double.greatestFiniteMagnitude
        guard lower < upper, (upper - lower).isFinite else { throw emptyRange }
        return .double(Double.random(in: lower..<upper, using: &call.renderer.random))
    }

    private static func decimal(_ name: String, _ call: HelperInvocation) throws(TemplateFailure) -> Double? {
        guard let value = try call.option(name) else { return nil }
        if let number = value.number { return number }
        if let number = Double(try call.text(value)), number.isFinite { return number }
        throw call.failure(expected: "a number as '\(name)'", found: value, "write digits only")
    }

    @Sendable private static func pickRandom(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard !call.subject.isNull else {
            return .string(
                "[ERROR: Must specify either a single list argument or a set of single value arguments.]"
            )
        }
        var choices = call.arguments
        if let elements = call.subject.elements { choices = elements }
        if choices.isEmpty, !call.arguments.isEmpty {
            throw TemplateFailure("expected a list with an element, found an empty one; add a value")
        }
        if choices.contains(where: \.isNull), choices.count > 1, call.arguments.count > 1 {
            throw TemplateFailure("expected values, found nothing for an argument; check its name")
        }
        if choices.isEmpty { return call.subject }
        if let count = try call.option("count"), case let count = try NumberHelpers.integer(count, call), count > 0 {
            choices.shuffle(using: &call.renderer.random)
            return .array(Array(choices.prefix(count)))
        }
        return choices[Int.random(in: 0..<choices.count, using: &call.renderer.random)]
    }
}
