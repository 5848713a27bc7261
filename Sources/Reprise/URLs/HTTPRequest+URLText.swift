// SPDX-License-Identifier: Apache-2.0

extension HTTPRequest {
    /// The URL, as far as the request has the parts of one.
    var urlText: String {
        "\(scheme.map { "\($0)://" } ?? "")\(authority ?? "")\(path ?? "")"
    }
}
