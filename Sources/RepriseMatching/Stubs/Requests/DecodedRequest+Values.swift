// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseText

extension DecodedRequest {
    /// Returns what JSONPaths look in: the JSON, or a string of the whole text if that is not JSON. As in WireMock,
    /// they fail for `null` and for texts that begin as an object, an array, or XML does.
    static func pathRoot(_ json: JSONTree?, _ text: ArraySlice<UInt8>) -> JSONTree? {
        if let json {
            if case .null = json { return nil }
            return json
        }
        guard text.count <= maximumParsedSize, let first = text.first(where: { $0 > 0x20 }) else { return nil }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"): return nil
        default: return .string(String(decoding: text, as: UTF8.self))
        }
    }

    /// Returns what a path finds in the content, or `nil` if there is nothing to look in or the path took too many
    /// steps.
    func found(_ path: JSONPath, _ patterns: JSONPatterns) -> JSONPath.Result? {
        guard budget.work(20) else { return nil }
        if let found = foundByPath[path.text] { return found }
        guard let pathRoot, let found = evaluate(path, patterns, pathRoot) else { return nil }
        foundByPath[path.text] = found
        return found
    }

    /// Returns what a path finds, or `nil` if it took too many steps.
    func evaluate(_ path: JSONPath, _ patterns: JSONPatterns, _ tree: JSONTree) -> JSONPath.Result? {
        let budget = budget
        let before = budget.refusals
        let found = path.evaluate(tree, budget: budget) { patterns.matches($0, $1, budget) }
        return budget.refusals == before ? found : nil
    }

    /// Returns the values that the request has in a field. A stub with an ``StubKey/Equality`` on the field matches
    /// only if its value is one of these. The host has no value if the request names none.
    package func values(of field: StubKey.Field) -> [ArraySlice<UInt8>] {
        switch field {
        case .host: host.map { [$0] } ?? []
        case .clientIP: [Array(clientIP.utf8)[...]]
        case .query(let name): values(query, name)
        case .header(let name): values(headers, name)
        case .cookie(let name): values(cookies, name)
        case .form(let name): values(form, name)
        case .body: contentValue.bytes.map { [$0] } ?? []
        case .jsonPath(let text): texts(at: text).map { Array($0.utf8)[...] }
        }
    }

    private func values(_ pairs: RequestPairs, _ name: [UInt8]) -> [ArraySlice<UInt8>] {
        budget.work(pairs.entries.count) ? pairs.values(named: name) : []
    }

    private func texts(at text: String) -> [String] {
        guard let path = try? JSONPath(text), case let patterns = JSONPatterns(path.patterns.map(\.text)),
            let found = found(path, patterns)
        else { return [] }
        if case .array(let elements)? = found.tree { return elements.compactMap(\.javaText) }
        return found.tree?.javaText.map { [$0] } ?? []
    }
}
