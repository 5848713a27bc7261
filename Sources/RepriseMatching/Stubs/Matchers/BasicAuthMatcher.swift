// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
private import RepriseText

/// `basicAuth`: the value is `Basic` in any case and the credentials (RFC 7617).
struct BasicAuthMatcher: Sendable {
    private let credentials: [UInt8]

    private static let scheme = Array("basic ".utf8)

    init(_ expected: StubRequest.BasicAuth) {
        credentials = Base64.encode(Array("\(expected.username):\(expected.password)".utf8))
    }

    func matches(_ value: ArraySlice<UInt8>) -> Bool {
        value.count == Self.scheme.count + credentials.count
            && zip(value, Self.scheme).allSatisfy { $0.asciiLowercased == $1 }
            && ByteSearch.hasSuffix(value, credentials)
    }
}

extension CompiledMatcher {
    /// Creates a condition on the Authorization field.
    init(_ credentials: StubRequest.BasicAuth) {
        let text = Base64.text(Array("\(credentials.username):\(credentials.password)".utf8))
        matcher = .equalTo("Basic \(text)")
        form = .basicAuth(BasicAuthMatcher(credentials))
    }
}
