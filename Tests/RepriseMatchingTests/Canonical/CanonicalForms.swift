// SPDX-License-Identifier: Apache-2.0

@testable import RepriseMatching

// Canonical forms as strings, because `#expect` can't contain a span.

func canonicalPath(_ path: String) -> String {
    String(decoding: CanonicalPath.canonical(Array(path.utf8).span), as: UTF8.self)
}

func isCanonicalPath(_ path: String) -> Bool {
    CanonicalPath.isCanonical(Array(path.utf8).span)
}

func canonicalQuery(_ query: String) -> String {
    String(decoding: CanonicalQuery.canonical(Array(query.utf8).span), as: UTF8.self)
}

func isCanonicalQuery(_ query: String) -> Bool {
    CanonicalQuery.isCanonical(Array(query.utf8).span)
}

func canonicalJSON(_ text: String) -> String? {
    CanonicalJSON.canonical(Array(text.utf8).span).map { String(decoding: $0, as: UTF8.self) }
}

func canonicalMultipart(_ body: String, boundary: String?) -> String? {
    CanonicalMultipart.canonical(Array(body.utf8).span, boundary: boundary.map { Array($0.utf8) })
        .map { String(decoding: $0, as: UTF8.self) }
}
