// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

extension StubMappingWriter {
    /// Returns a matcher as JSON.
    package static func tree(of matcher: ValueMatcher) -> JSONTree {
        .object(members(of: matcher))
    }

    static func list(_ matchers: [ValueMatcher]) -> JSONTree {
        .array(matchers.map { tree(of: $0) })
    }

    /// Returns JSON as an operand. A string is written as JSON inside a string. Deeply nested JSON is too, because with
    /// the mapping around it, it could exceed the depth that a reader accepts.
    static func operand(_ json: JSONTree) -> JSONTree {
        if case .string = json {} else if !isDeeper(than: 64, json) { return json }
        return .string(String(decoding: json.bytes, as: UTF8.self))
    }

    static func isDeeper(than limit: Int, _ json: JSONTree) -> Bool {
        switch json {
        case .array(let elements): limit == 0 || elements.contains { isDeeper(than: limit - 1, $0) }
        case .object(let members): limit == 0 || members.contains { isDeeper(than: limit - 1, $0.value) }
        default: false
        }
    }

    static func expression(_ path: String, _ inner: ValueMatcher?) -> JSONTree {
        guard let inner else { return .string(path) }
        return .object([.init("expression", .string(path))] + members(of: inner))
    }
}
