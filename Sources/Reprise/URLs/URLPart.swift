// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A part of a URL, by what stands for itself in it (RFC 3986 appendix A). Everything else is escaped as UTF-8.
enum URLPart {
    /// A path as it was written: segments and slashes. Its escapes stay.
    case path
    /// A query as it was written. Its escapes stay.
    case query
    /// A value in a path or in a query: nothing in it may end it.
    case value
    /// A name or a value of a form (WHATWG URL, application/x-www-form-urlencoded): a space is a plus sign.
    case form

    private static let pathBytes = ByteSet.pathSegment.union(ByteSet("/"))
    private static let queryBytes = ByteSet.pathSegment.union(ByteSet("/?"))

    /// The text as it stands in this part.
    func escape(_ text: some StringProtocol) -> String {
        switch self {
        case .path: PercentEscape.encoded(String(text), except: Self.pathBytes, keepsEscapes: true)
        case .query: PercentEscape.encoded(String(text), except: Self.queryBytes, keepsEscapes: true)
        case .value: PercentEscape.encoded(String(text), except: .unreserved)
        case .form: FormText.encoded(String(text))
        }
    }
}
