// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseText

enum DateHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "now": .value { (call) throws(TemplateFailure) in
            try date(TemplateDate(call.renderer.context.now), call)
        },
        "date": .value { (call) throws(TemplateFailure) in
            guard case .date(let start) = call.subject else {
                return try date(TemplateDate(call.renderer.context.now), call)
            }
            return try date(start, call)
        },
        "parseDate": .value(parseDate),
        "truncateDate": .value(truncateDate),
    ]

    /// Applies the options of a date.
    private static func date(_ start: TemplateDate, _ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        var milliseconds = start.milliseconds
        if let offset = try call.option("offset") {
            guard case .string(let text) = offset else {
                throw call.failure(expected: "an offset such as '3 days'", found: offset, "quote it")
            }
            milliseconds = try DateOffset(text).applied(to: milliseconds)
        }
        var zone = start.zone
        let name = try call.optionText("timezone")
        if let name { zone = try self.zone(name, call) }
        guard let format = try call.optionText("format") else {
            return .date(TemplateDate(milliseconds, zone: zone))
        }
        return .date(
            TemplateDate(
                milliseconds,
                format: try self.format(format, call),
                zone: zone,
                zoneName: name ?? start.zoneName
            )
        )
    }

    static func zone(_ name: String, _ call: HelperInvocation) throws(TemplateFailure) -> TimeZone {
        if let zone = call.renderer.prepared.zones[name] ?? TimeZone(identifier: name) { return zone }
        var rest = Substring(name)
        if let sign = name.first, sign == "+" || sign == "-" || name == "Z",
            let seconds = DatePattern.takeOffset(&rest),
            let zone = TimeZone(secondsFromGMT: seconds)
        {
            return zone
        }
        throw call.failure(
            expected: "a time zone such as 'Europe/Berlin'",
            found: .string(name),
            "use a name of the time zone database"
        )
    }

    private static func format(_ name: String, _ call: HelperInvocation) throws(TemplateFailure) -> TemplateDate.Format
    {
        if name == "epoch" { return .epoch }
        if name == "unix" { return .unix }
        return .pattern(try pattern(name, call))
    }

    static func pattern(_ text: String, _ call: HelperInvocation) throws(TemplateFailure) -> DatePattern {
        if let pattern = call.renderer.prepared.datePatterns[text] { return pattern }
        do throws(DatePiece.Invalid) { return try DatePattern(text) } catch {
            throw TemplateFailure(
                "expected a date format, found the letter '\(error.letter)' in '\(text.prefix(60))'; put literal text in single quotation marks"
            )
        }
    }

    /// Parses a date. Returns null if the text is not a date.
    @Sendable private static func parseDate(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let text = try call.subjectText()
        guard let format = try call.optionText("format") else {
            guard let date = JavaHTTPDate(text) else { return standardDate(text) }
            return .date(TemplateDate(date.milliseconds, zone: TimeZone(secondsFromGMT: date.offset)))
        }
        switch format {
        case "epoch":
            guard let milliseconds = Int64(text), TemplateDate.range ~= milliseconds else { return .null }
            return .date(TemplateDate(milliseconds))
        case "unix":
            guard let seconds = Int64(text), seconds.magnitude < 1 << 52 else { return .null }
            return .date(TemplateDate(seconds * 1000))
        default:
            let pattern = try pattern(format, call)
            var zone = TimeZone.gmt
            if let name = try call.optionText("timezone") { zone = try self.zone(name, call) }
            guard let (milliseconds, offset) = pattern.parse(text, in: zone) else { return .null }
            return .date(TemplateDate(milliseconds, zone: offset.flatMap { TimeZone(secondsFromGMT: $0) }))
        }
    }

    /// Parses a date in ISO 8601, and keeps its zone or its offset.
    private static func standardDate(_ text: String) -> TemplateValue {
        var text = text
        var named: TimeZone?
        if text.hasSuffix("]"), let bracket = text.lastIndex(of: "[") {
            named = TimeZone(identifier: String(text[bracket...].dropFirst().dropLast()))
            guard named != nil else { return .null }
            text = String(text[..<bracket])
        }
        // A date without its day is no date here.
        guard text.utf8.dropFirst(10).first.map({ $0 | 0x20 }) == UInt8(ascii: "t"),
            let time = DatedTime(iso8601: text), let offset = time.offset
        else { return .null }
        return .date(TemplateDate(time.inUTC().milliseconds, zone: named ?? TimeZone(secondsFromGMT: offset)))
    }

    /// Truncates a date in its own zone, or in that of the machine. As in WireMock, the result forgets the format.
    @Sendable private static func truncateDate(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard call.arguments.count > 1 else {
            throw .printed("Truncation type must be specified as the first parameter to truncateDate")
        }
        guard case .date(let date) = call.subject else {
            if !call.subject.isNull {
                return .string("[ERROR: A date object must be passed to the truncateDate helper]")
            }
            throw call.failure(expected: "a date", found: call.subject, "use parseDate to read a string")
        }
        let zone = date.zone ?? call.renderer.context.timeZone
        let name = try call.text(call.parameter(0))
        guard let truncation = DateTruncation(rawValue: name.lowercased()) else {
            throw call.failure(
                expected: "a truncation such as 'first day of month'",
                found: .string(name),
                "see the documentation for the others"
            )
        }
        let offset = CalendarTime.offset(of: zone, at: date.milliseconds)
        let time = truncation.truncate(CalendarTime(date.milliseconds, offsetSeconds: offset))
        return .date(TemplateDate(time.milliseconds(in: zone), zone: zone))
    }
}
