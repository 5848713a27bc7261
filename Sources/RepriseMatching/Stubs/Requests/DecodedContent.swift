// SPDX-License-Identifier: Apache-2.0

private import RepriseContentCoding
package import RepriseText

/// The content of a request without its content coding (RFC 9110 section 8.4). Recorders keep it in this form.
package enum DecodedContent {
    /// Returns the decoded content of a request. Returns `nil` if it has no coding or an unsupported one, or if the
    /// content is invalid, or larger than `limit` when it is decoded.
    package static func decoded(_ request: RequestView, limit: Int) -> [UInt8]? {
        guard request.isContentComplete, !request.content.isEmpty,
            let field = request.joinedValue(named: "Content-Encoding"),
            let codings = Inflater.Coding.list(String(decoding: field, as: UTF8.self))
        else { return nil }
        var content = [UInt8](bytes: request.content)
        for coding in codings.reversed() {
            guard content.count <= limit, let decoded = Inflater.decoded(content, coding, limit: limit) else {
                return nil
            }
            content = decoded
        }
        return content
    }
}
