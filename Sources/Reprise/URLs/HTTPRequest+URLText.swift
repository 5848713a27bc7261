// SPDX-License-Identifier: Apache-2.0

extension HTTPRequest {
    /// The URL, as far as the request has the parts of one.
    package var urlText: String { urlText(authority: authority, path: path) }

    /// The URL as messages show it: without a user name, and without the secrets of its query.
    package var shownURL: String {
        let host = authority?.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init)
        return urlText(authority: host, path: path.map(SecretQuery.redacted))
    }

    private func urlText(authority: String?, path: String?) -> String {
        "\(scheme.map { "\($0)://" } ?? "")\(authority ?? "")\(path ?? "")"
    }
}
