// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseText

/// What helpers need of arguments that are literals, prepared when the template is compiled.
struct PreparedArguments: Sendable {
    var regexes: [String: NSRegularExpression] = [:]
    var jsonPaths: [String: JSONPath] = [:]
    var datePatterns: [String: DatePattern] = [:]
    var zones: [String: TimeZone] = [:]
}

extension TemplateParser {
    /// Prepares the arguments of a call that are literals.
    mutating func prepare(_ call: TemplateCall) {
        if ["now", "date", "parseDate"].contains(call.name) { prepareDate(call) }
        guard call.arguments.count > 1, case .literal(.string(let text)) = call.arguments[1] else { return }
        switch call.name {
        case "jsonPath": prepared.jsonPaths[text] = try? JSONPath(text)
        case "regexExtract": prepared.regexes[text] = try? NSRegularExpression(pattern: text)
        case "matches":
            let whole = TemplateRenderer.whole(text)
            prepared.regexes[whole] = try? NSRegularExpression(pattern: whole)
        default: break
        }
    }

    /// Prepares the format, the zone, and the offset of a date, and warns of those that cannot work.
    private mutating func prepareDate(_ call: TemplateCall) {
        for (name, expression) in call.options {
            guard case .literal(.string(let text)) = expression else { continue }
            switch name {
            case "format" where text != "epoch" && text != "unix":
                switch DatePattern.compile(text) {
                case .success(let pattern): prepared.datePatterns[text] = pattern
                case .failure(let invalid):
                    warn(
                        "expected a date format, found the letter '\(invalid.letter)' in '\(text)'; put texts in quotes",
                        call
                    )
                }
            case "timezone": prepared.zones[text] = TimeZone(identifier: text)
            case "offset":
                do throws(TemplateFailure) { _ = try DateOffset(text) } catch { warn(error.message, call) }
            default: break
            }
        }
    }

    private mutating func warn(_ message: String, _ call: TemplateCall) {
        warnings.append(problem("\(call.name): \(message)", at: call.offset))
    }
}
