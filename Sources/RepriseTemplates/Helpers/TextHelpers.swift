// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The text helpers of Handlebars.java. If the subject is empty, the first argument after it is printed instead.
enum TextHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "capitalizeFirst": text { (text, _) in text.prefix(1).uppercased() + text.dropFirst() },
        "capitalize": text { (text, call) throws(TemplateFailure) in
            capitalized(try call.flag("fully") ? text.lowercased() : text)
        },
        "center": text { (text, call) throws(TemplateFailure) in try padded(text, call, left: 1, of: 2) },
        "ljust": text { (text, call) throws(TemplateFailure) in try padded(text, call, left: 0, of: 1) },
        "rjust": text { (text, call) throws(TemplateFailure) in try padded(text, call, left: 1, of: 1) },
        "cut": text { (text, call) throws(TemplateFailure) in
            try replaced(text, call.arguments.count > 1 ? string(call.parameter(0), call) : " ", "", call)
        },
        "replace": text { (text, call) throws(TemplateFailure) in
            try replaced(text, string(call.parameter(0), call), string(call.parameter(1), call), call)
        },
        "lower": text { (text, _) in text.lowercased() },
        "upper": text { (text, _) in text.uppercased() },
        "substring": text(substring),
        "slugify": text { (text, _) in slug(text) },
        "stripTags": text { (text, _) in stripped(text) },
        "abbreviate": text(abbreviated),
        "wordWrap": text(wrapped),
        "stringFormat": text { (text, call) throws(TemplateFailure) in
            try JavaFormat.text(text, Array(call.parameters), call)
        },
        "defaultIfEmpty": .value { (call) throws(TemplateFailure) in
            call.subject.isEmpty ? call.parameter(0) : call.subject
        },
        "join": .value(join),
        "yesno": .value(yesOrNo),
    ]

    private static func text(
        _ function: @escaping @Sendable (String, HelperInvocation) throws(TemplateFailure) -> String
    ) -> TemplateHelper {
        .value { (call) throws(TemplateFailure) in
            guard !call.subject.isEmpty else {
                return call.parameter(0).isNull ? .null : .string(try call.text(call.parameter(0)))
            }
            let result = try function(try call.text(call.subject), call)
            try call.renderer.checkSize(result.utf8.count)
            return .string(result)
        }
    }

    private static func string(_ value: TemplateValue, _ call: HelperInvocation) throws(TemplateFailure) -> String {
        guard case .string(let text) = value else { throw call.failure(expected: "a text", found: value, "quote it") }
        return text
    }

    private static func integer(
        _ value: TemplateValue?,
        _ name: String,
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> Int {
        guard case .integer(let integer)? = value else {
            throw call.failure(expected: "an integer as '\(name)'", found: value ?? .null, "write it without quotes")
        }
        return integer
    }

    private static func capitalized(_ text: String) -> String {
        var result = ""
        var isStart = true
        for character in text {
            result += isStart ? character.uppercased() : String(character)
            isStart = character == " "
        }
        return result
    }

    private static func padded(
        _ text: String,
        _ call: HelperInvocation,
        left numerator: Int,
        of denominator: Int
    ) throws(TemplateFailure) -> String {
        let size = try integer(try call.option("size"), "size", call)
        let count = text.utf16.count
        guard size > count else { return text }
        let missing = size - count
        try call.renderer.checkSize(size)
        try call.renderer.charge(missing)
        let given = try call.optionText("pad") ?? " "
        let pad = Array(given.isEmpty ? " " : given)
        let left = missing * numerator / denominator
        func run(_ count: Int) -> String { String((0..<count).map { pad[$0 % pad.count] }) }
        return run(left) + text + run(missing - left)
    }

    private static func replaced(
        _ text: String,
        _ target: String,
        _ replacement: String,
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> String {
        let (size, overflows) = (text.utf8.count / max(1, target.utf8.count) + 1)
            .multipliedReportingOverflow(by: replacement.utf8.count)
        try call.renderer.checkSize(overflows ? .max : size)
        if target.isEmpty { return replacement + text.map { String($0) + replacement }.joined() }
        let source = Array(text.utf8)
        let pattern = Array(target.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == pattern[0], source[index...].starts(with: pattern) {
                result += replacement.utf8
                index += pattern.count
            } else {
                result.append(source[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    @Sendable private static func substring(
        _ text: String,
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> String {
        let units = Array(text.utf16)
        let start = try integer(call.parameter(0), "start", call)
        let end = call.arguments.count > 2 ? try integer(call.parameter(1), "end", call) : units.count
        guard start >= 0, start <= end, end <= units.count else {
            throw TemplateFailure(
                "expected a range within 0 to \(units.count), found \(start) to \(end); change the bounds"
            )
        }
        return String(decoding: units[start..<end], as: UTF16.self)
    }

    /// Keeps letters. As in Handlebars.java, digits are dropped.
    private static func slug(_ text: String) -> String {
        let scalars = JavaText.trimmed(text).lowercased().unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
            if scalar.properties.isWhitespace { return "-" }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return scalar
            default: return nil
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func stripped(_ text: String) -> String {
        var result: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        var lastClose = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), index < lastClose {
                while index < lastClose, bytes[index] != UInt8(ascii: ">") { index += 1 }
            } else {
                result.append(bytes[index])
            }
            index += 1
            if index > lastClose { lastClose = -1 }
        }
        return String(decoding: result, as: UTF8.self)
    }

    @Sendable private static func abbreviated(
        _ text: String,
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> String {
        let width = try integer(call.parameter(0), "width", call)
        guard width >= 4 else {
            throw call.failure(expected: "a width of at least 4", found: .integer(width), "use a larger width")
        }
        return text.count <= width ? text : text.prefix(width - 3) + "..."
    }

    /// Breaks lines at spaces, and drops spaces at the start of a line. A word that is longer than a line gets its own
    /// line.
    @Sendable private static func wrapped(_ text: String, _ call: HelperInvocation) throws(TemplateFailure) -> String {
        let width = max(1, try integer(call.parameter(0), "length", call))
        let characters = Array(text)
        try call.renderer.charge(characters.count)
        var result = ""
        var start = 0
        while start < characters.count {
            if characters[start] == " " {
                start += 1
                continue
            }
            guard characters.count - start > width else { break }
            let before = characters[start...start + width].lastIndex(of: " ")
            guard let space = before ?? characters[(start + width)...].firstIndex(of: " ") else { break }
            result += String(characters[start..<space]) + "\n"
            start = space + 1
        }
        return result + String(characters[start...])
    }

    @Sendable private static func join(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard !call.subject.isNull else { return .null }
        let separator = try string(call.arguments.count > 1 ? call.arguments[call.arguments.count - 1] : .null, call)
        let values = call.subject.elements ?? Array(call.arguments.dropLast())
        guard !values.isEmpty else { return .null }
        return try call.joined(values, separator) { value, _ throws(TemplateFailure) in try call.text(value) }
    }

    @Sendable private static func yesOrNo(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        switch call.subject {
        case .null: return try call.option("maybe", or: .string("maybe"))
        case .bool(true): return try call.option("yes", or: .string("yes"))
        case .bool(false): return try call.option("no", or: .string("no"))
        default: throw call.failure(expected: "true or false", found: call.subject, "use a comparison such as eq")
        }
    }
}
