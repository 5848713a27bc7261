// SPDX-License-Identifier: Apache-2.0

package import RepriseMatching

/// A list of matchers, split into options for the index and custom matchers to apply to its results.
package struct MatchingRules: Sendable {
    package let matchers: [Matcher]
    package private(set) var options: MatchingOptions
    package private(set) var custom: [Matcher.Custom] = []

    package init(_ matchers: [Matcher], afterLast: AfterLast) {
        self.matchers = matchers
        options = MatchingOptions(afterLast: afterLast, fields: [])
        for matcher in matchers {
            switch matcher.kind {
            case .method: options.fields.insert(.method)
            case .path: options.fields.insert(.path)
            case .query(let ignored):
                options.fields.insert(.query)
                for name in ignored { options.ignored.add(queryName: name) }
            case .body(let ignored):
                options.fields.insert(.body)
                for pointer in ignored { _ = options.ignored.add(pointer: pointer) }
            case .host: options.requiresHost = true
            case .headers(let names): options.headerNames += names
            case .custom(let matcher): custom.append(matcher)
            }
        }
    }
}
