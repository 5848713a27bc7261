// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A part of a URL, which determines the characters that are not escaped in it (RFC 3986 appendix A). All others are
/// escaped as UTF-8.
enum URLPart {
    /// A path as written, with segments and slashes. Existing escapes are kept.
    case path
    /// A query as written. Existing escapes are kept.
    case query
    /// A value in a path or in a query. All characters that could end it are escaped.
    case value
    /// A name or value of a form (WHATWG URL, application/x-www-form-urlencoded). A space becomes a plus sign.
    case form

    private static let pathBytes = ByteSet.pathSegment.union(ByteSet("/"))
    private static let queryBytes = ByteSet.pathSegment.union(ByteSet("/?"))

    func escape(_ text: some StringProtocol) -> String {
        switch self {
        case .path: PercentEscape.encoded(String(text), except: Self.pathBytes, keepsEscapes: true)
        case .query: PercentEscape.encoded(String(text), except: Self.queryBytes, keepsEscapes: true)
        case .value: PercentEscape.encoded(String(text), except: .unreserved)
        case .form: FormText.encoded(String(text))
        }
    }
}
