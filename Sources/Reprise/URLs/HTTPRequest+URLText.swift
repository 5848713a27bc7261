// SPDX-License-Identifier: Apache-2.0

extension HTTPRequest {
    /// The URL, composed of the parts that are set.
    package var urlText: String { urlText(authority: authority, path: path) }

    /// The URL for messages, without a user name and with the secrets in its query redacted.
    package var shownURL: String {
        let host = authority?.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last
            .map { String(Substring($0)) }
        return urlText(authority: host, path: path.map(SecretQuery.redacted))
    }

    private func urlText(authority: String?, path: String?) -> String {
        "\(scheme.map { "\($0)://" } ?? "")\(authority ?? "")\(path ?? "")"
    }
}
