// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A function that templates call by name.
struct TemplateHelper: Sendable {
    /// Returns the value, or appends the content of the block to the output and returns null.
    typealias Function = @Sendable (HelperInvocation, inout [UInt8]) throws(TemplateFailure) -> TemplateValue

    let run: Function

    /// Creates a helper that does not render a block.
    static func value(
        _ function: @escaping @Sendable (HelperInvocation) throws(TemplateFailure) -> TemplateValue
    ) -> TemplateHelper {
        TemplateHelper { (call, _) throws(TemplateFailure) in try function(call) }
    }

    static func condition(
        _ function: @escaping @Sendable (HelperInvocation) throws(TemplateFailure) -> Bool
    ) -> TemplateHelper {
        TemplateHelper { (call, output) throws(TemplateFailure) in try call.choose(try function(call), &output) }
    }

    /// All helpers by name.
    static let table: [ExactText: TemplateHelper] = {
        var table: [ExactText: TemplateHelper] = [:]
        for group in groups { table.merge(group) { first, _ in first } }
        return table
    }()

    private static let groups = [
        BlockHelpers.table, ConditionHelpers.table, NumberHelpers.table, RandomHelpers.table, EncodingHelpers.table,
        PatternHelpers.table, JSONHelpers.table, DateHelpers.table, TextHelpers.table, FormatHelpers.table,
        XMLHelpers.table,
        EditingHelpers.table,
    ]

    /// Returns `; did you mean 'now'?`, or an empty string if no name is similar.
    static func suggestion(for name: String) -> String {
        let lowercased = name.lowercased()
        let names = table.keys.map(\.text).sorted()
        let nearest =
            names.first { $0.lowercased() == lowercased } ?? names.first { isNear(Array($0.utf8), Array(name.utf8)) }
        return nearest.map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Whether one change of a letter makes the names equal.
    private static func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard abs(one.count - other.count) <= 1, min(one.count, other.count) > 2 else { return false }
        let common = zip(one, other).prefix { $0 == $1 }.count
        let tail = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
        return common + tail >= max(one.count, other.count) - 1
    }
}
