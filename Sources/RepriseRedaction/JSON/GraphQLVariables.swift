// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Finds the values of variables in a request of GraphQL that are secret because of the arguments for which the query
/// uses them: `{"query": "mutation($p: String!) { login(password: $p) }", "variables": {"p": "…"}}`.
enum GraphQLVariables {
    private typealias Verdict = SecretNames.Verdict

    private static let variables = Array("variables".utf8)
    private static let maximumCount = 32

    /// Returns the cuts for these values, in the order of the text. Stops at the first syntax error.
    static func cuts(in bytes: Span<UInt8>, _ names: SecretNames) -> [Cut] {
        let uses = uses(in: bytes, names)
        guard !uses.isEmpty else { return [] }
        var cuts: [Cut] = []
        var scanner = JSONScanner(isSequence: true)
        var key: Range<Int>?
        // The depth of the object that contains the variables.
        var depth: Int?
        while let token = try? scanner.next(in: bytes), token != .end {
            switch token {
            case .beginObject:
                if depth == nil, let key, isVariables(bytes, key) { depth = scanner.depth }
            case .endObject:
                if let open = depth, scanner.depth < open { depth = nil }
            case .string(let range):
                guard depth == scanner.depth, let key, let verdict = uses[Array(bytes: bytes.extracting(key))],
                    NamedValue.isSecret(bytes.extracting(range), verdict, isText: true)
                else { break }
                cuts.append(Cut(range: range, replacement: .marker(verdict.marker)))
            case .number(let range):
                guard depth == scanner.depth, let key, let verdict = uses[Array(bytes: bytes.extracting(key))],
                    verdict.covers(number: bytes.extracting(range))
                else { break }
                cuts.append(Cut(range: range, replacement: .marker(verdict.marker)))
            default: break
            }
            if case .key(let range) = token { key = range } else { key = nil }
        }
        return cuts
    }

    static func isVariables(_ bytes: Span<UInt8>, _ key: Range<Int>) -> Bool {
        key.count == variables.count && bytes.has(variables, at: key.lowerBound)
    }

    /// The variables that are used for arguments with the name of a secret, without their `$`.
    private static func uses(in bytes: Span<UInt8>, _ names: SecretNames) -> [[UInt8]: Verdict] {
        var uses: [[UInt8]: Verdict] = [:]
        var index = 0
        while let dollar = bytes.firstIndex(of: UInt8(ascii: "$"), in: index..<bytes.count), uses.count < maximumCount {
            index = dollar + 1
            var end = index
            while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
            guard end > index, let name = argument(bytes, before: dollar),
                let verdict = names.verdict(of: bytes.extracting(name), in: .json), verdict.isCertain
            else { continue }
            uses[Array(bytes: bytes.extracting(index..<end))] = verdict
        }
        return uses
    }

    /// Returns the name of the argument whose value starts at `start`.
    private static func argument(_ bytes: Span<UInt8>, before start: Int) -> Range<Int>? {
        var end = start
        while end > 0, bytes[end - 1] == 0x20 || endsLineEscape(bytes, end) {
            end -= bytes[end - 1] == 0x20 ? 1 : 2
        }
        guard end > 0, bytes[end - 1] == UInt8(ascii: ":") else { return nil }
        end -= 1
        while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
        var first = end
        while first > 0, end - first < 64, isWordByte(bytes[first - 1]) { first -= 1 }
        return first < end ? first..<end : nil
    }

    /// Whether the two bytes before `end` are the JSON escape of a line ending or a tab.
    private static func endsLineEscape(_ bytes: Span<UInt8>, _ end: Int) -> Bool {
        end > 2 && bytes[end - 2] == UInt8(ascii: "\\") && "nrt".utf8.contains(bytes[end - 1])
    }
}
