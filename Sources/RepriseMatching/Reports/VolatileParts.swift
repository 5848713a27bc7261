// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parts of a request that probably differ in each run, if it differs from a fixture only in these. If they are
/// ignored, the fixture answers the request.
package struct VolatileParts: Sendable, Hashable {
    /// The names of query pairs, without escapes.
    package private(set) var queryNames: [String] = []
    /// JSON pointers to parts of the body. If several elements of an array differ in the same place, a step of `*`
    /// stands for their index.
    package private(set) var pointers: [String] = []
    /// The names of header fields.
    package private(set) var headerNames: [String] = []

    /// Creates the parts that differ according to `verdicts`.
    ///
    /// Returns `nil` if nothing that is required differs, or if the fixture and the request differ in a part that does
    /// not look volatile or cannot be ignored.
    init?(_ verdicts: [FieldVerdict]) {
        var steps: [[UInt8]] = []
        for verdict in verdicts where !verdict.isEqual && verdict.isRequired {
            guard case .bytes(let expected) = verdict.expectedValue, case .bytes(let found) = verdict.foundValue else {
                return nil
            }
            switch verdict.name {
            case .queryPair(let name):
                guard Self.isVolatile(inQuery: expected, found), add(queryName: name) else { return nil }
            case .bodyPointer(let pointer):
                guard Self.isVolatile(inJSON: expected, found) else { return nil }
                steps.append(pointer)
            case .header(let name):
                guard VolatileShape.isShared(by: expected, and: found) else { return nil }
                headerNames.append(name)
            case .method, .path, .query, .body, .bodyPair, .bodyPart, .selection, .host: return nil
            }
        }
        guard add(pointers: steps), !(queryNames.isEmpty && pointers.isEmpty && headerNames.isEmpty) else { return nil }
    }

    /// The beginning of a sentence that suggests ignoring the parts.
    package static let condition = "If these values differ in each run"

    /// The options of the command line that ignore the parts.
    var options: String {
        let queries = queryNames.map { "--ignore-query \(DisplayText.shellWord($0))" }
        let bodies = pointers.map { "--ignore-json \(DisplayText.shellWord($0))" }
        let headers = headerNames.map { "remove --match-header \(DisplayText.shellWord($0))" }
        let options = (queries + bodies).joined(separator: " ")
        return ((options.isEmpty ? [] : [options]) + headers).joined(separator: "; ")
    }

    // MARK: Names

    /// - Returns: Whether the name, which is in canonical form, can be written as text.
    private mutating func add(queryName name: ArraySlice<UInt8>) -> Bool {
        guard let text = Self.plainText(PercentEscape.decoded(name.span, plus: 0x20)) else { return false }
        if !queryNames.contains(text) { queryNames.append(text) }
        return true
    }

    /// - Returns: Whether the pointers can be written as text.
    private mutating func add(pointers: [[UInt8]]) -> Bool {
        let groups = Dictionary(grouping: pointers, by: Self.withoutIndices)
        for pointer in pointers {
            let general = Self.withoutIndices(pointer)
            let bytes = (groups[general]?.count ?? 0) > 1 ? general : pointer
            var ignored = IgnoredParts()
            // A key with escapes in JSON is spelled differently in a pointer.
            guard !bytes.contains(UInt8(ascii: "\\")), let text = Self.plainText(bytes), ignored.add(pointer: text)
            else { return false }
            if !self.pointers.contains(text) { self.pointers.append(text) }
        }
        return true
    }

    /// Returns a pointer with `*` for every step that is a number.
    private static func withoutIndices(_ pointer: [UInt8]) -> [UInt8] {
        let steps = pointer.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return Array(
            steps.map { !$0.isEmpty && $0.allSatisfy(isDigit) ? [UInt8(ascii: "*")] : $0 }
                .joined(separator: [UInt8(ascii: "/")])
        )
    }

    /// Returns `bytes` as text, or `nil` if they are too long or need escaping.
    private static func plainText(_ bytes: [UInt8]) -> String? {
        let shown = DisplayText.escaped(bytes[...], limit: 240)
        return shown.utf8.elementsEqual(bytes) ? shown : nil
    }

    // MARK: Values

    private static func isVolatile(inQuery expected: ArraySlice<UInt8>, _ found: ArraySlice<UInt8>) -> Bool {
        VolatileShape.isShared(
            by: PercentEscape.decoded(expected.span, plus: 0x20)[...],
            and: PercentEscape.decoded(found.span, plus: 0x20)[...]
        )
    }

    /// Whether two values in canonical JSON are volatile: two strings or two numbers.
    private static func isVolatile(inJSON expected: ArraySlice<UInt8>, _ found: ArraySlice<UInt8>) -> Bool {
        guard let (value, isString) = scalar(expected), let (other, isOtherString) = scalar(found) else { return false }
        return isString == isOtherString && VolatileShape.isShared(by: value, and: other)
    }

    private static func scalar(_ value: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, isString: Bool)? {
        switch value.first {
        case UInt8(ascii: "\"")?: (value.dropFirst().dropLast(), true)
        case let byte? where isDigit(byte): (value, false)
        default: nil
        }
    }
}
