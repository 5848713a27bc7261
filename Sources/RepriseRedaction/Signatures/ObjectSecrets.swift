// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Finds values in whole JSON texts that are secret because of the other members of their object: companions of a
/// signature, the `code` beside a phone number or a factor, and the private members of a JSON Web Key (RFC 7518 section
/// 6).
struct ObjectSecrets {
    private struct Member {
        var key: Range<Int>
        var value: Range<Int>
        var isNumber = false
    }

    private struct Frame {
        /// The number of members before those of this object.
        var first: Int
        /// The key of this object or array.
        var key: Range<Int>?
        /// Whether one of the keys can give other members a meaning.
        var isRelevant = false
    }

    private let names: SecretNames
    private var frames: [Frame] = []
    private var members: [Member] = []
    private var key: Range<Int>?
    private var cuts: [Cut] = []

    private init(names: SecretNames) {
        self.names = names
    }

    /// Returns the cuts for these values, in no particular order. Stops at the first syntax error.
    static func cuts(in bytes: Span<UInt8>, _ names: SecretNames) -> [Cut] {
        var secrets = ObjectSecrets(names: names)
        var scanner = JSONScanner(isSequence: true)
        while let token = try? scanner.next(in: bytes), token != .end { secrets.take(token, bytes) }
        return secrets.cuts
    }

    private mutating func take(_ token: JSONToken, _ bytes: Span<UInt8>) {
        switch token {
        case .beginObject, .beginArray:
            frames.append(Frame(first: members.count, key: key ?? frames.last?.key))
            key = nil
        case .endObject, .endArray:
            guard let frame = frames.popLast() else { return }
            if frame.isRelevant { search(members[frame.first...], frame.key, bytes) }
            members.removeLast(members.count - frame.first)
            key = nil
        case .key(let range):
            key = range
            if let last = frames.indices.last, Self.isRelevant(range, bytes) { frames[last].isRelevant = true }
        case .string(let range): add(range, isNumber: false)
        case .number(let range): add(range, isNumber: true)
        default: key = nil
        }
    }

    private mutating func add(_ value: Range<Int>, isNumber: Bool) {
        if let key { members.append(Member(key: key, value: value, isNumber: isNumber)) }
        key = nil
    }

    /// A quick check of the last letters of a key.
    static func isRelevant(_ key: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard key.count >= 3 else { return false }
        let end = key.upperBound
        switch (bytes[end - 3] | 0x20, bytes[end - 2] | 0x20, bytes[end - 1] | 0x20) {
        case (0x6B, 0x74, 0x79): return key.count == 3  // kty
        case (0x73, 0x69, 0x67), (0x69, 0x67, 0x6E), (0x6D, 0x61, 0x63): return true  // sig, sign, hmac
        case (0x75, 0x72, 0x65): return true  // signature
        case (0x6F, 0x64, 0x65): return key.count == 4  // code
        default: return false
        }
    }

    private mutating func search(_ members: ArraySlice<Member>, _ name: Range<Int>?, _ bytes: Span<UInt8>) {
        var fields = SignedFields(.json)
        var isKey = false
        var codes: [Member] = []
        var hasFactor = name.map { Self.hasFactorWord(bytes.extracting($0)) } ?? false
        for member in members {
            let key = Self.slice(member.key, bytes)
            fields.add(name: key, value: Self.slice(member.value, bytes), names)
            if key.elementsEqual("kty".utf8) { isKey = true }
            if key.elementsEqual("code".utf8) {
                codes.append(member)
            } else if Self.hasFactorWord(key.span) || (!member.isNumber && Self.isFactor(member.value, bytes)) {
                hasFactor = true
            }
        }
        for number in fields.companions { cut(members[members.startIndex + number]) }
        if hasFactor { for code in codes where Self.isCode(code.value, bytes) { cut(code) } }
        guard isKey else { return }
        for member in members where Self.privateMembers.contains(Array(Self.slice(member.key, bytes))) {
            if member.value.count >= 16 { cut(member) }
        }
    }

    private mutating func cut(_ member: Member) {
        cuts.append(Cut(range: member.value, replacement: .marker(0)))
    }

    private static func slice(_ range: Range<Int>, _ bytes: Span<UInt8>) -> ArraySlice<UInt8> {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        for index in range { text.append(bytes[index]) }
        return text[...]
    }

    /// The members of a JSON Web Key that are private, or secret in a symmetric key.
    private static let privateMembers = Set(["d", "p", "q", "dp", "dq", "qi", "k"].map { Array($0.utf8) })

    private static func isCode(_ value: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        guard 4...8 ~= value.count else { return false }
        for index in value where !isDigit(bytes[index]) { return false }
        return true
    }

    private static func isFactor(_ value: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        value.count <= 40 && hasFactorWord(bytes.extracting(value))
    }

    /// Whether a name or a short value has a word for a second factor or for what receives its codes.
    private static func hasFactorWord(_ text: Span<UInt8>) -> Bool {
        let words = NameWords(text)
        for (number, start) in words.starts.enumerated() {
            let end = number + 1 < words.starts.count ? words.starts[number + 1] : words.letters.count
            if factorWords.contains(Array(words.letters[start..<end])) { return true }
        }
        return false
    }

    private static let factorWords = Set(
        [
            "authenticator", "challenge", "factor", "fa", "mfa", "mobile", "msisdn", "otp", "passcode", "phone", "sms",
            "tfa",
            "totp", "verification", "verify",
        ].map { Array($0.utf8) }
    )
}
