// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The bodies that a fixture answers.
public enum BodyPattern: Sendable, Hashable {
    /// Any body, or no body.
    case any
    /// No body, or an empty one.
    case none
    /// A body that is equal when compared as its kind. The bytes are the kind's canonical form.
    case equal(Kind, [UInt8])

    /// The way in which bodies are compared.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// Byte by byte.
        case bytes
        /// As JSON values (RFC 8259). Whitespace, the order of members, and the spelling of strings and numbers are
        /// ignored.
        case json
        /// As form fields, in any order.
        case form
        /// Part by part (RFC 2046 section 5.1), ignoring the boundary.
        case multipart
    }

    /// Creates the pattern of a recorded body with a content type. Only the recorded content type determines the
    /// kind, because clients often send incorrect types.
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

    var isCompared: Bool { self != .any }
}
