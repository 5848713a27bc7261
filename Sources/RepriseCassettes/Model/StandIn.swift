// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A text of a cassette that stands for a value of the recorded traffic. The cassette lists its stand-ins in a table.
///
/// A numbered marker, such as `[redacted~1]`, stands for one secret wherever it occurs. So does a text that has the
/// secret's shape, for clients that decode the value. A marker without a number stands for any value.
///
/// A marker with a ``literal`` is not a secret: the traffic contained a text that would otherwise be a marker.
package struct StandIn: Sendable, Hashable {
    /// The text in the cassette.
    package var text: String
    /// The shape of the secret that the text has; `nil` if the text is a marker.
    package var shape: Shape?
    /// The text of the traffic that the marker stands for; `nil` if it stands for a secret.
    package var literal: String?
    /// A note by the author of the file.
    package var note: String?

    /// A form that clients decode, so that a marker in place of the value would break them.
    package enum Shape: String, Sendable, Hashable, CaseIterable {
        /// A JSON Web Token (RFC 7519).
        case jwt
        /// A UUID (RFC 9562).
        case uuid
        /// Base64 in either alphabet.
        case base64
        /// Hexadecimal digits.
        case hex
        /// Decimal digits.
        case digits
    }

    /// Creates a stand-in with its text.
    package init(_ text: String, shape: Shape? = nil, literal: String? = nil, note: String? = nil) {
        self.text = text
        self.shape = shape
        self.literal = literal
        self.note = note
    }

    /// What clients receive in place of the text: a literal, as many digits as the secret has, or the text itself.
    package var received: [UInt8] {
        shape == .digits ? StandInDigits.received(for: text) : Array((literal ?? text).utf8)
    }

    /// Whether the text stands for one secret, and not for any value or for a literal.
    package var hasIdentity: Bool {
        literal == nil && (shape != nil || RedactionMarker.number(of: text) != nil)
    }
}
