// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseDocuments
internal import RepriseText

/// Formats numbers and dates for people.
enum FormatHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "numberFormat": .value(numberFormat),
        "dateFormat": .value(dateFormat),
    ]

    /// The units of work to create a formatter; see ``WorkBudget``.
    private static let unitsPerFormatter = 10_000

    @Sendable private static func numberFormat(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard let number = call.subject.number else { return call.parameter(0) }
        call.renderer.spend(unitsPerFormatter)
        let formatter = NumberFormatter()
        let locale = try locale(call)
        formatter.locale = Locale(identifier: locale)
        formatter.numberStyle = .decimal
        var format = try call.optionText("format")
        if call.arguments.count > 1 { format = try call.text(call.parameter(0)) }
        switch format {
        case nil: break
        case "integer": formatter.maximumFractionDigits = 0
        case "percent": formatter.numberStyle = .percent
        case "currency":
            formatter.numberStyle = .currency
            if !locale.contains("_"), !locale.contains("-") { formatter.currencySymbol = "¤" }
        case let pattern?: formatter.positiveFormat = pattern
        }
        formatter.roundingMode = .halfEven
        try apply(call, to: formatter)
        return .string(formatter.string(from: NSNumber(value: number)) ?? "")
    }

    /// Returns the identifier of the locale. An identifier that is not well-formed would crash Foundation on Linux.
    private static func locale(_ call: HelperInvocation) throws(TemplateFailure) -> String {
        let name = call.arguments.count > 2 ? try call.text(call.parameter(1)) : try call.optionText("locale") ?? "en"
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
        let isValid = parts.allSatisfy { part in
            2...8 ~= part.utf8.count && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard isValid, parts.count <= 3, parts[0].count <= 3, parts[0].allSatisfy(\.isLetter) else {
            throw call.failure(expected: "a locale such as 'de_DE'", found: .string(name), "correct it")
        }
        return name
    }

    private static func apply(_ call: HelperInvocation, to formatter: NumberFormatter) throws(TemplateFailure) {
        if case .bool(let value)? = try call.option("groupingUsed") { formatter.usesGroupingSeparator = value }
        if let digits = try digits("maximumFractionDigits", call) { formatter.maximumFractionDigits = digits }
        if let digits = try digits("minimumFractionDigits", call) { formatter.minimumFractionDigits = digits }
        if let digits = try digits("maximumIntegerDigits", call) { formatter.maximumIntegerDigits = digits }
        if let digits = try digits("minimumIntegerDigits", call) { formatter.minimumIntegerDigits = digits }
        switch try call.optionText("roundingMode")?.lowercased() {
        case "up": formatter.roundingMode = .up
        case "down": formatter.roundingMode = .down
        case "ceiling": formatter.roundingMode = .ceiling
        case "floor": formatter.roundingMode = .floor
        case "half_up": formatter.roundingMode = .halfUp
        case "half_down": formatter.roundingMode = .halfDown
        default: break
        }
    }

    private static func digits(_ name: String, _ call: HelperInvocation) throws(TemplateFailure) -> Int? {
        guard let value = try call.option(name) else { return nil }
        return min(max(try NumberHelpers.integer(value, call), 0), 300)
    }

    private static let styles = [
        "full": "EEEE, MMMM d, yyyy", "long": "MMMM d, yyyy", "medium": "MMM d, yyyy", "short": "M/d/yy",
    ]
    private static let times = ["full": "h:mm:ss a z", "long": "h:mm:ss a z", "medium": "h:mm:ss a", "short": "h:mm a"]

    @Sendable private static func dateFormat(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard case .date(let date) = call.subject else {
            if call.subject.isNull { return .null }
            throw call.failure(expected: "a date", found: call.subject, "use parseDate to read a string")
        }
        var zone = call.renderer.context.timeZone
        if let name = try call.optionText("tz") { zone = try DateHelpers.zone(name, call) }
        var format = try call.optionText("format") ?? "medium"
        if call.arguments.count > 1 { format = try call.text(call.parameter(0)) }
        let locale = try locale(call)
        guard let style = styles[format], locale.hasPrefix("en") else {
            if styles[format] != nil { return .string(localized(date, format, locale, zone)) }
            return .string(try DateHelpers.pattern(format, call).text(of: date.milliseconds, in: zone))
        }
        var pattern = style
        if let time = try call.optionText("time"), let timePattern = times[time] {
            pattern += (format == "full" || format == "long" ? " 'at' " : ", ") + timePattern
        }
        return .string(try DateHelpers.pattern(pattern, call).text(of: date.milliseconds, in: zone))
    }

    private static func localized(_ date: TemplateDate, _ style: String, _ locale: String, _ zone: TimeZone) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: locale)
        formatter.timeZone = zone
        formatter.timeStyle = .none
        let styles: [ExactText: DateFormatter.Style] = [
            "full": .full, "long": .long, "medium": .medium, "short": .short,
        ]
        formatter.dateStyle = styles[style] ?? .medium
        return formatter.string(from: Date(timeIntervalSince1970: Double(date.milliseconds) / 1000))
    }
}

/// Writes numbers in digits.
enum NumberFormats {
    /// Returns the text of a positive number with a fixed number of digits after the point. A half is rounded up.
    static func fixed(_ number: Double, digits: Int) -> String {
        guard let decimal = Decimal(string: number.javaText) else { return number.javaText }
        let rounded = JavaDecimal.rounded(decimal, scale: digits, .plain)
        let text = NSDecimalNumber(decimal: rounded).stringValue
        guard digits > 0 else { return text }
        let parts = text.split(separator: ".")
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        return parts[0] + "." + fraction + String(repeating: "0", count: max(0, digits - fraction.count))
    }

    /// Returns the digits with a comma after each thousand.
    static func grouped(_ text: String) -> String {
        let whole = Array(text.prefix { $0 != "." })
        var result = ""
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result + text.dropFirst(whole.count)
    }
}
