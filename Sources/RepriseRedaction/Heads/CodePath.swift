// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The words of a path, which together show whether a `code` that is sent there signs in a user or confirms their
/// identity: `/accounts:signInWithPhoneNumber`, `/auth/phone`, `/users/confirmSignUp`, `/sms/check`.
struct CodePath {
    private var words: Set<[UInt8]> = []
    /// Whether two words in a row mean to sign in: `signIn`, `log-in`.
    private var signsIn = false
    /// Whether a segment consists only of words for a confirmation: `/confirm`.
    private var hasConfirmation = false
    /// Whether there is another segment, apart from the prefix of an API (`/api/v1`).
    private var hasOtherSegment = false

    init(_ segments: ArraySlice<ArraySlice<UInt8>>) {
        for segment in segments { add(segment) }
    }

    /// Whether a `code` that is sent to this path signs in a user or confirms their identity.
    var takesCode: Bool {
        if signsIn { return true }
        guard words.isDisjoint(with: Self.codedObjects) else { return false }
        if words.contains(Self.auth), !words.isDisjoint(with: Self.channels) { return true }
        guard !words.isDisjoint(with: Self.confirmations) else { return false }
        return !words.isDisjoint(with: Self.accounts) || !words.isDisjoint(with: Self.channels)
            || hasConfirmation && !hasOtherSegment
    }

    private mutating func add(_ segment: ArraySlice<UInt8>) {
        let name = NameWords(segment.span)
        var last: [UInt8] = []
        var isConfirmation = !name.starts.isEmpty
        for (number, start) in name.starts.enumerated() {
            let end = number + 1 < name.starts.count ? name.starts[number + 1] : name.letters.count
            let word = Array(name.letters[start..<end])
            if Self.signInVerbs.contains(last), Self.signInParticles.contains(word) { signsIn = true }
            if !Self.confirmations.contains(word) { isConfirmation = false }
            words.insert(word)
            last = word
        }
        if isConfirmation {
            hasConfirmation = true
        } else if !Self.apiPrefixes.contains(name.letters) {
            hasOtherSegment = true
        }
    }

    private static let auth = Array("auth".utf8)
    private static let signInVerbs = Set(words: ["log", "sign"])
    private static let signInParticles = Set(words: ["in", "on"])
    private static let apiPrefixes = Set(words: ["api", "v", "rest", "public", "json"])
    /// Words for a confirmation with a code.
    private static let confirmations = Set(words: [
        "activate", "activation", "check", "confirm", "confirmation", "confirmations", "validate", "validation",
    ])
    /// Words for the ways in which a user gets a code.
    private static let channels = Set(words: [
        "call", "email", "mobile", "passcode", "phone", "sms", "totp", "voice", "whatsapp",
    ])
    /// Words for users, their accounts, and their devices.
    private static let accounts = Set(words: [
        "account", "accounts", "auth", "device", "factor", "factors", "identity", "me", "member", "members", "mfa",
        "password", "profile", "register", "registration", "registrations", "session", "sessions", "sign", "signup",
        "user", "users",
    ])
    /// Words for objects that have codes of their own, such as coupons and countries.
    private static let codedObjects = Set(words: [
        "booking", "bookings", "cart", "carts", "checkout", "countries", "country", "coupon", "coupons", "currencies",
        "currency", "discount", "discounts", "gift", "invite", "language", "languages", "order", "orders", "product",
        "products", "promo", "promos", "promotion", "promotions", "voucher", "vouchers",
    ])
}
