// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Which bodies a fixture answers.
public enum BodyPattern: Sendable, Hashable {
    /// Any, or none.
    case any
    /// No body, or one of no bytes.
    case none
    /// A body that is equal in the way of its kind; the bytes are the kind's canonical form.
    case equal(Kind, [UInt8])

    /// How bodies are compared.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// Byte by byte.
        case bytes
        /// As JSON values (RFC 8259): white space, the order of members and the spelling of strings and numbers do not
        /// count.
        case json
        /// As a form's fields in any order.
        case form
        /// Part by part (RFC 2046 section 5.1), whatever the boundary.
        case multipart
    }

    /// The pattern of a recorded body of some content type. The recorded side alone decides the kind, because clients
    /// are careless about the type that they send.
    package init(recorded bytes: [UInt8], contentType: [UInt8]?) {
        guard !bytes.isEmpty else {
            self = .none
            return
        }
        let type = MediaType(contentType ?? [])
        if type.isJSON || CanonicalJSON.looksStructured(bytes.span), let json = CanonicalJSON.canonical(bytes.span) {
            self = .equal(.json, json)
        } else if type.isForm {
            self = .equal(.form, CanonicalQuery.canonical(bytes.span))
        } else if type.isMultipart,
            let parts = CanonicalMultipart.canonical(bytes.span, boundary: type.parameter("boundary"))
        {
            self = .equal(.multipart, parts)
        } else {
            self = .equal(.bytes, bytes)
        }
    }

    /// Whether it is compared at all.
    var isCompared: Bool { self != .any }
}
