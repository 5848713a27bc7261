// SPDX-License-Identifier: Apache-2.0

/// The conditions and the range in the header fields of a GET or HEAD request (RFC 9110 sections 13 and 14).
///
/// A condition compares the client's version of the content with the current one. A range selects a part of it.
package struct RequestConditions: Sendable, Hashable {
    /// The value of If-Match: entity tags, one of which must match, or `*`.
    var ifMatch: String?
    /// The value of If-None-Match: entity tags, none of which may match, or `*`.
    var ifNoneMatch: String?
    /// The value of If-Range: the entity tag that must match for the range to apply.
    var ifRange: String?
    /// The value of Range; always nil for HEAD.
    var range: String?

    /// Reads the fields of a request. Returns `nil` if it has none of them, or if its method is neither GET nor HEAD.
    ///
    /// - Parameter value: Returns the joined values of all lines with a name, or `nil` if there are none.
    package init?(method: String, _ value: (_ name: String) -> String?) {
        guard method == "GET" || method == "HEAD" else { return nil }
        ifMatch = value("If-Match")
        ifNoneMatch = value("If-None-Match")
        if method == "GET" {
            range = value("Range")
            ifRange = range == nil ? nil : value("If-Range")
        }
        if ifMatch == nil, ifNoneMatch == nil, range == nil { return nil }
    }

    /// Whether a name with this many bytes can be the name of a condition or of Range. Fast enough to call for each
    /// field of each request.
    @inlinable
    package static func mayBeName(byteCount: Int) -> Bool {
        byteCount == 5 || byteCount == 8 || byteCount == 13
    }

    /// What to send.
    package enum Selection: Sendable, Hashable {
        /// The whole content.
        case whole
        /// A part of the content, with status 206.
        case part(Range<Int>)
        /// No content, with status 304: the client has it.
        case notModified
        /// No content, with status 412: the client requires another version.
        case preconditionFailed
        /// No content, with status 416: the range is after its end.
        case unsatisfiable
    }

    /// Returns what to send of content of `count` bytes with this entity tag. Fields are evaluated in the order of RFC
    /// 9110 section 13.2.2.
    package func selection(of count: Int, tag: EntityTag?) -> Selection {
        if let ifMatch, ifMatch != "*" {
            guard let tag, EntityTag.list(ifMatch).contains(where: { $0.isStronglyEqual(to: tag) }) else {
                return .preconditionFailed
            }
        }
        if let ifNoneMatch {
            if ifNoneMatch == "*" { return .notModified }
            // Weak comparison (RFC 9110 section 8.8.3.2).
            if let tag, EntityTag.list(ifNoneMatch).contains(where: { $0.text == tag.text }) { return .notModified }
        }
        guard let range else { return .whole }
        if let ifRange {
            // A date never matches, because answers have no Last-Modified line.
            guard let tag, let asked = EntityTag(ifRange), asked.isStronglyEqual(to: tag) else { return .whole }
        }
        switch RequestedRange(range, of: count) {
        case .whole: return .whole
        case .part(let part): return .part(part)
        case .unsatisfiable: return .unsatisfiable
        }
    }
}
