// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The fields of a query, form, header section or JSON object, one of which can be a signature.
///
/// A signature covers values that are different in each request: its date, its expiry, a nonce, and the key that made
/// it. These companions are replaced too, so that the next signed request finds its recording. Whether a field is a
/// companion depends on the last words of its name and on the form of its value: `X-Amz-Date=20240115T103000Z` is one,
/// `X-Amz-Expires=900` is the same in each request.
struct SignedFields {
    /// Where the fields stand.
    enum Place {
        case query
        case form
        case header
        case json

        var field: SecretNames.Fields {
            switch self {
            case .query: .query
            case .form: .form
            case .header: .header
            case .json: .json
            }
        }
    }

    private struct Field {
        var words: NameWords
        var value: ArraySlice<UInt8>
    }

    private let place: Place
    private var fields: [Field] = []
    private var hasSignature = false
    private var hasSecret = false

    init(_ place: Place) {
        self.place = place
    }

    /// Whether a field can have companions.
    var isSigned: Bool { hasSignature || hasSecret }

    /// Adds a field. Names and values are decoded, and not redacted yet.
    mutating func add(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>, _ names: SecretNames) {
        let words = NameWords(name.span)
        let value = names.allows(name.span, in: place.field) ? [] : value
        if !hasSignature, words.isOne(of: Self.signatures), RandomValue.looksRandom(value.span) {
            hasSignature = true
        }
        if !hasSecret, place == .query || place == .form, Self.isNamedSecret(name, value, names) { hasSecret = true }
        fields.append(Field(words: words, value: value))
    }

    /// Marks the fields as signed by something else, such as `Authorization: AWS4-HMAC-SHA256 …`.
    mutating func sign() {
        hasSignature = true
    }

    /// The numbers of the fields that are companions of a signature.
    var companions: [Int] {
        let digest = digest
        return fields.indices.filter { $0 == digest || isCompanion(fields[$0], hasDigest: digest != nil) }
    }

    /// The number of the field with the digest of an expiring link, as checked by nginx: 16 bytes in Base64
    /// (`md5=x7Rk…&expires=1767470768`). Without an expiry, such a field is usually the checksum of a file.
    private var digest: Int? {
        guard place == .query, !hasSignature,
            fields.contains(where: { $0.words.isOne(of: Self.times) && TimeValue.isUnixTime($0.value.span) })
        else { return nil }
        return fields.firstIndex { field in
            field.value.count == 22 && field.words.isOne(of: Self.digests)
                && field.value.allSatisfy(EncodedText.alphabet.contains)
        }
    }

    private func isCompanion(_ field: Field, hasDigest: Bool) -> Bool {
        guard !field.value.isEmpty, !RedactionMarker.occurs(in: field.value.span) else { return false }
        let value = field.value.span
        // A signature can be in a header line, and its nonce in the query or form.
        if field.words.isOne(of: Self.nonces), place == .query || place == .form, TimeValue.isUnixTime(value) {
            return true
        }
        if field.words.isOne(of: Self.times) {
            guard isSigned || hasDigest else { return false }
            if hasSignature, place == .query, TimeValue.isHexadecimalUnixTime(value) { return true }
            return hasSignature ? TimeValue.isTime(value) : TimeValue.isUnixTime(value)
        }
        guard hasSignature else { return false }
        if field.words.isOne(of: Self.nonces) { return value.count >= 6 && !TimeValue.isDuration(value) }
        return place != .json && field.words.isOne(of: Self.keys)
    }

    private static func isNamedSecret(
        _ name: ArraySlice<UInt8>,
        _ value: ArraySlice<UInt8>,
        _ names: SecretNames
    ) -> Bool {
        guard let verdict = names.verdict(of: name.span, in: .query) else { return false }
        return NamedValue.isSecret(value.span, verdict)
    }

    // MARK: Names

    /// The last words of names of signatures.
    static let signatures = NameEndings([
        "hm", "hmac", "hmac sha", "lsig", "mac", "sig", "sign", "signature", "signatures",
    ])

    /// The last words of names of digests in expiring links.
    private static let digests = NameEndings(["hash", "md", "st"])

    /// The last words of names of points in time.
    static let times = NameEndings([
        "created", "date", "deadline", "e", "ex", "exp", "expiration", "expire", "expires", "expiry", "iat", "is",
        "key time", "nbf", "se", "sign time", "ske", "skt", "st", "t", "time", "timestamp", "ts", "ttl", "until",
        "valid from", "valid to",
    ])

    /// The last words of names of values that are used once.
    static let nonces = NameEndings([
        "authenticator data", "client data json", "jti", "nonce", "policy", "rand", "random", "salt", "signature nonce",
        "transmission id",
    ])

    /// The last words of names of keys and their scopes.
    private static let keys = NameEndings([
        "access id", "access key id", "consumer key", "credential", "credential scope", "google access id", "key id",
        "key pair id", "keyid", "oauth token", "security token", "skoid", "sktid",
    ])
}

/// A set of names, compared with the last words of a name.
struct NameEndings {
    private let names: Set<[UInt8]>

    init(_ names: [String]) {
        self.names = Set(
            names.map { name in
                let utf8 = Array(name.utf8)[...]
                return NameWords(utf8.span).letters
            }
        )
    }

    func contains(_ letters: ArraySlice<UInt8>) -> Bool { names.contains(Array(letters)) }
}

extension NameWords {
    /// Whether the last words are one of the endings.
    func isOne(of endings: NameEndings) -> Bool {
        starts.suffix(3).contains { endings.contains(letters[$0...]) }
    }
}
