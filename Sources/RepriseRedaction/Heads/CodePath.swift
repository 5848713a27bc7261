// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The words of a path that together say that a `code` sent there signs in a person or confirms who they are:
/// `/accounts:signInWithPhoneNumber`, `/auth/phone`, `/users/confirmSignUp`, `/sms/check`.
struct CodePath {
    private var words: Set<[UInt8]> = []
    /// Whether two words in a row are those of a sign-in: `signIn`, `log-in`.
    private var signsIn = false
    /// Whether a segment, apart from those of the interface (`/api/v1`), consists of words that confirm something.
    private var (confirms, hasOthers) = (false, false)

    init(_ segments: ArraySlice<ArraySlice<UInt8>>) {
        for segment in segments { add(segment) }
    }

    /// Whether a code that is sent there is one for people.
    var takesCode: Bool {
        if signsIn { return true }
        guard words.isDisjoint(with: Self.goods) else { return false }
        if words.contains(Self.auth), !words.isDisjoint(with: Self.receivers) { return true }
        guard !words.isDisjoint(with: Self.confirmations) else { return false }
        return !words.isDisjoint(with: Self.people) || !words.isDisjoint(with: Self.receivers) || confirms && !hasOthers
    }

    private mutating func add(_ segment: ArraySlice<UInt8>) {
        let name = NameWords(segment.span)
        var last: [UInt8] = []
        var isConfirmation = !name.starts.isEmpty
        for (number, start) in name.starts.enumerated() {
            let end = number + 1 < name.starts.count ? name.starts[number + 1] : name.letters.count
            let word = Array(name.letters[start..<end])
            if Self.signs.contains(last), Self.directions.contains(word) { signsIn = true }
            if !Self.confirmations.contains(word) { isConfirmation = false }
            words.insert(word)
            last = word
        }
        if isConfirmation {
            confirms = true
        } else if !Self.interfaces.contains(name.letters) {
            hasOthers = true
        }
    }

    private static func set(_ words: [String]) -> Set<[UInt8]> { Set(words.map { Array($0.utf8) }) }

    private static let auth = Array("auth".utf8)
    private static let signs = set(["log", "sign"])
    private static let directions = set(["in", "on"])
    private static let interfaces = set(["api", "v", "rest", "public", "json"])
    /// What is confirmed with a code.
    private static let confirmations = set([
        "activate", "activation", "check", "confirm", "confirmation", "confirmations", "validate", "validation",
    ])
    /// What receives a code.
    private static let receivers = set([
        "call", "email", "mobile", "passcode", "phone", "sms", "totp", "voice", "whatsapp",
    ])
    /// Who confirms something.
    private static let people = set([
        "account", "accounts", "auth", "device", "factor", "factors", "identity", "me", "member", "members", "mfa",
        "password", "profile", "register", "registration", "registrations", "session", "sessions", "sign", "signup",
        "user", "users",
    ])
    /// What has a code of another kind.
    private static let goods = set([
        "booking", "bookings", "cart", "carts", "checkout", "countries", "country", "coupon", "coupons", "currencies",
        "currency", "discount", "discounts", "gift", "invite", "language", "languages", "order", "orders", "product",
        "products", "promo", "promos", "promotion", "promotions", "voucher", "vouchers",
    ])
}
