// SPDX-License-Identifier: Apache-2.0

package import RepriseMatching

extension [Matcher] {
    /// Returns these matchers without the given parts of requests.
    package func ignoring(_ parts: VolatileParts) -> [Matcher] {
        var (names, pointers) = (parts.queryNames, parts.pointers)
        let headers = Set(parts.headerNames.map { $0.lowercased() })
        return compactMap { matcher in
            switch matcher.kind {
            case .query(let ignored):
                defer { names = [] }
                return .query(ignoring: ignored + names)
            case .body(let ignored):
                defer { pointers = [] }
                return .body(ignoring: ignored + pointers)
            case .headers(let compared):
                let compared = compared.filter { !headers.contains($0.lowercased()) }
                return compared.isEmpty ? nil : .headers(compared)
            case .method, .host, .path, .custom: return matcher
            }
        }
    }

    /// The matchers as an expression in Swift, or nil if some of them are custom.
    package var code: String? {
        let elements = compactMap(\.code)
        return elements.count == count ? "[\(elements.joined(separator: ", "))]" : nil
    }
}

extension MatchingRules {
    /// The options of the command line with the same meaning, as far as there are any.
    package var commandOptions: [String] {
        matchers.flatMap(\.commandOptions)
            + (options.afterLast == .repeat ? [] : ["--after-last", options.afterLast.rawValue])
    }
}

extension Matcher {
    fileprivate var commandOptions: [String] {
        switch kind {
        case .host: ["--match-host"]
        case .query(let names): names.flatMap { ["--ignore-query", $0] }
        case .body(let pointers): pointers.flatMap { ["--ignore-json", $0] }
        case .headers(let names): names.flatMap { ["--match-header", $0] }
        case .method, .path, .custom: []
        }
    }

    fileprivate var code: String? {
        switch kind {
        case .method: ".method"
        case .host: ".host"
        case .path: ".path"
        case .query([]): ".query"
        case .query(let names): ".query(ignoring: \(names))"
        case .body([]): ".body"
        case .body(let pointers): ".body(ignoring: \(pointers))"
        case .headers(let names): ".headers(\(names))"
        case .custom: nil
        }
    }
}
