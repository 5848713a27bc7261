// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseDocuments
internal import RepriseQueries
internal import RepriseText

/// Values that helpers derive from literal arguments, prepared when the template is compiled.
struct PreparedArguments: Sendable {
    /// Regular expressions that are looked for in a text, and those that match a whole one.
    var patterns: [ExactText: FoundationPattern] = [:]
    var wholePatterns: [ExactText: FoundationPattern] = [:]
    var jsonPaths: [ExactText: JSONPath] = [:]
    var datePatterns: [ExactText: DatePattern] = [:]
    var zones: [ExactText: TimeZone] = [:]
}

extension TemplateParser {
    /// Prepares the arguments of a call that are literals.
    mutating func prepare(_ call: TemplateCall) {
        if ["now", "date", "parseDate"].contains(call.name) { prepareDate(call) }
        if ["eq", "neq", "gt", "gte", "lt", "lte"].contains(call.name) { checkComparison(call) }
        guard call.arguments.count > 1, case .literal(.string(let text)) = call.arguments[1] else { return }
        switch call.name {
        case "jsonPath": prepared.jsonPaths[text] = try? JSONPath(text)
        case "regexExtract": prepared.patterns[text] = try? FoundationPattern(text)
        case "matches": prepared.wholePatterns[text] = try? FoundationPattern(text, isWhole: true)
        default: break
        }
    }

    /// Prepares the format, the zone, and the offset of a date, and warns about invalid ones.
    private mutating func prepareDate(_ call: TemplateCall) {
        for (name, expression) in call.options {
            guard case .literal(.string(let text)) = expression else { continue }
            switch name {
            case "format" where text != "epoch" && text != "unix":
                do throws(DatePiece.Invalid) {
                    prepared.datePatterns[text] = try DatePattern(text)
                } catch {
                    warn(
                        "expected a date format, found the letter '\(error.letter)' in '\(text)'; put literal text in single quotation marks",
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

    /// Warns about a comparison of a list of values with a string, because they are never equal.
    private mutating func checkComparison(_ call: TemplateCall) {
        guard call.arguments.count == 2 else { return }
        for (one, other) in [(call.arguments[0], call.arguments[1]), (call.arguments[1], call.arguments[0])] {
            guard case .path(let path) = one, case .literal(.string) = other, path.isListOfRequest else { continue }
            let isMethod = path.segments.last == "method"
            let advice = isMethod ? "match the method in the request of the stub" : "write '\(path.text).[0]'"
            warn(
                "expected two values of the same kind, found '\(path.text)', which never equals a string; \(advice)",
                call
            )
        }
    }

    private mutating func warn(_ message: String, _ call: TemplateCall) {
        warnings.append(problem("\(call.name): \(message)", at: call.offset))
    }
}

extension TemplatePath {
    /// Whether the path leads to a part of the request that never equals a string, although it prints like one.
    fileprivate var isListOfRequest: Bool {
        guard segments.count > 1, segments[0] == "request" || segments[0] == "originalRequest" else { return false }
        switch segments[1] {
        case "query", "headers", "cookies": return segments.count == 3
        case "method", "path", "pathSegments": return segments.count == 2
        default: return false
        }
    }
}
