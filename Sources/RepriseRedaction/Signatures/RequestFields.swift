// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Recognizes fields that a client fills with another value in each request: the tokens that protect forms against
/// forged requests, and the identifiers of the requests themselves.
///
/// Such a value is not a secret. Beside one, it is replaced too, so that the next request with other credentials finds
/// its recording.
enum RequestFields {
    /// Whether the value of a field is new in each request.
    ///
    /// - Parameter name: The decoded name.
    static func isFresh(
        _ value: Span<UInt8>,
        of name: Span<UInt8>,
        in field: SecretNames.Fields,
        _ names: SecretNames
    ) -> Bool {
        guard 8...maximumLength ~= value.count, 3...80 ~= name.count, !RedactionMarker.occurs(in: value) else {
            return false
        }
        let words = NameWords(name)
        let isToken = words.isOne(of: formTokens)
        let isIdentifier = words.isOne(of: identifiers)
        guard isToken || isIdentifier || words.isOne(of: universalIdentifiers) else { return false }
        // The rules of the user take precedence.
        guard !names.allows(name, in: field) || SecretNames.standard.allows(name, in: field) else { return false }
        if isUUID(value) { return true }
        guard isToken || isIdentifier else { return false }
        if RandomValue.looksRandom(value) { return true }
        return isToken ? hasDigit(value) : words.isOne(of: SignedFields.nonces) && TimeValue.isUnixTime(value)
    }

    /// Whether a value is a UUID, possibly as a URN (RFC 9562 section 4).
    private static func isUUID(_ value: Span<UInt8>) -> Bool {
        RandomValue.isUUID(value.extracting((value.hasWord(urn, at: 0) ? urn.count : 0)..<value.count))
    }

    static func hasDigit(_ value: Span<UInt8>) -> Bool {
        for index in value.indices where isDigit(value[index]) { return true }
        return false
    }

    /// The maximum length of a value, in bytes. The states of the pages of ASP.NET are the longest ones.
    static let maximumLength = 64 << 10
    private static let urn = Array("urn:uuid:".utf8)

    /// The last words of names of tokens and states that a page hands to its form.
    private static let formTokens = NameEndings([
        "anti forgery token", "antiforgery token", "authenticity token", "captcha response", "captcha token", "crumb",
        "csrf", "csrf token", "csrfmiddlewaretoken", "event validation", "form build id", "recaptcha response",
        "recaptcha token", "request verification token", "turnstile response", "turnstile token", "view state",
        "wpnonce", "xsrf", "xsrf token",
    ])

    /// The last words of names of identifiers that only a client makes, and of the answers of a widget.
    private static let identifiers = NameEndings([
        "client request id", "client request token", "idempotency key", "idempotency token", "nonce", "nonce str",
        "response", "trigger id",
    ])

    /// The last words of names of identifiers that a server can make, too. A client makes a UUID.
    private static let universalIdentifiers = NameEndings([
        "correlation id", "req id", "request id", "request uuid",
    ])
}
