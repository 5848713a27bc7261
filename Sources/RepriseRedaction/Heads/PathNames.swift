// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What the path of a URL says about values whose own names say nothing: the `value` of `/secrets/db`, the `key` of
/// `/actions/secrets/public-key`, the `code` sent to `/verify`.
package struct PathNames: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The resource is a secret, so its value is one.
    static let secret = PathNames(rawValue: 1)
    /// The resource is a token, so its value is secret if it looks random.
    static let token = PathNames(rawValue: 2)
    /// The resource is a public key.
    static let publicKey = PathNames(rawValue: 4)
    /// A `code` that is sent there signs in a user or confirms their identity.
    static let code = PathNames(rawValue: 8)
    /// The resource is an object whose data is secret: `/v1/secret/data/app` (Vault).
    static let data = PathNames(rawValue: 16)
    /// The resource is the content of a secret: `/secrets/db/versions/3:access` (Google Secret Manager).
    static let content = PathNames(rawValue: 32)

    /// What is said about the values of a request, or of a response. The `code` of a response says what happened, and
    /// what is sent to get a token is data.
    package func names(inRequest isRequest: Bool) -> PathNames {
        subtracting(isRequest ? .token : .code)
    }

    /// Reads the path of a URL.
    package init(_ url: String) {
        self = []
        let url = Array(url.utf8)
        let target = url[..<(url.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.count)]
        guard Self.mayName(target.span) else { return }
        var segments = target.split(separator: UInt8(ascii: "/"))[...]
        // The scheme and the host.
        if target.first != UInt8(ascii: "/") { segments = segments.dropFirst(2) }
        for segment in segments { insert(segment) }
        if !contains(.code), CodePath(segments).takesCode { formUnion(.code) }
        if Self.holdsData(segments) { formUnion(.data) }
        if contains(.secret), let last = segments.last, last.suffix(7).elementsEqual(":access".utf8) {
            formUnion(.content)
        }
        if contains(.publicKey) { subtract([.secret, .token, .data, .content]) }
    }

    /// Every name contains one of these parts. The array is indexed by their first byte.
    private static let parts: [[[UInt8]]] = {
        var parts = [[[UInt8]]](repeating: [], count: 256)
        let others = ["2fa", "cubby", "key", "kv"].map { Array($0.utf8) }
        for part in others + secrets + tokens + codes + codeStarts {
            parts[Int(part[0])].append(part)
        }
        return parts
    }()
    private static let initials = parts.indices.reduce(into: ByteSet()) {
        if !parts[$1].isEmpty { $0.insert(UInt8($1)) }
    }

    /// Whether a path can contain a name. Most paths contain none.
    private static func mayName(_ path: Span<UInt8>) -> Bool {
        for index in path.indices where initials.contains(path[index].asciiLowercased) {
            for part in parts[Int(path[index].asciiLowercased)] {
                if starts(path.extracting(index..<path.count), with: part) { return true }
            }
        }
        return false
    }

    private static let maximumDigits = 8

    /// Whether a text starts with a part of a name. As in the words of a name, digits inside it are ignored.
    private static func starts(_ text: Span<UInt8>, with part: [UInt8]) -> Bool {
        var length = 0
        for index in 0..<min(text.count, part.count + maximumDigits) {
            if text[index].asciiLowercased == part[length] {
                length += 1
                if length == part.count { return true }
            } else if length == 0 || !isDigit(text[index]) {
                return false
            }
        }
        return false
    }

    private mutating func insert(_ segment: ArraySlice<UInt8>) {
        let words = NameWords(segment.span)
        if Self.publicKeys.contains(words.letters) { formUnion(.publicKey) }
        var isCount = false
        for (number, start) in words.starts.enumerated() {
            let isLast = number + 1 == words.starts.count
            let word = Array(words.letters[start..<(isLast ? words.letters.count : words.starts[number + 1])])
            if Self.secrets.contains(word) { formUnion(.secret) }
            if Self.counts.contains(word) { isCount = true }
            if isLast, !isCount, Self.tokens.contains(word) { formUnion(.token) }
            if Self.codes.contains(word) { formUnion(.code) }
        }
        if segment.elementsEqual("2fa".utf8) { formUnion(.code) }
    }

    /// Whether the path names a secret in a key-value engine of Vault that is mounted at one of the usual paths.
    private static func holdsData(_ segments: ArraySlice<ArraySlice<UInt8>>) -> Bool {
        guard segments.count >= 3, segments.first?.elementsEqual("v1".utf8) == true else { return false }
        let name = segments[segments.startIndex + 1]
        let mount = NameWords(name.span).letters
        let next = segments[segments.startIndex + 2]
        // Version 2 of the engine has `data` in its paths.
        let isVersion2 = next.elementsEqual("data".utf8)
        guard !isVersion2 || segments.count >= 4 else { return false }
        return mounts.contains(mount) || isVersion2 && mount.elementsEqual("secrets".utf8)
    }

    private static let mounts = Set(words: ["cubbyhole", "kv", "kvv", "secret", "secretv", "secretkv"])

    /// The starts of words. Every path that ``CodePath`` recognizes contains one of these words.
    private static let codeStarts = ["activ", "auth", "check", "confirm", "log", "sign", "validat"].map {
        Array($0.utf8)
    }

    private static let publicKeys = Set(words: ["publickey", "publickeys"])
    private static let secrets = Set(words: ["secret", "secrets"])
    private static let tokens = Set(words: ["token", "tokens"])
    private static let counts = Set(words: ["count", "max"])
    private static let codes = Set(words: [
        "challenge", "login", "mfa", "otp", "passwordless", "signin", "totp", "verification", "verifications", "verify",
    ])
}

extension PathNames {
    /// The characters of credentials before their padding (RFC 6750 section 2.1), and of some separators.
    private static let tokenBytes = ByteSet.word.union(ByteSet("-.~+/:|"))

    /// Returns the range of the only text of a whole body, without quotes, if it is secret at this path.
    func secret(in body: Span<UInt8>) -> Range<Int>? {
        guard !isDisjoint(with: [.secret, .token]) else { return nil }
        var range = body.trimmed(0..<body.count)
        if range.count > 2, body[range.lowerBound] == UInt8(ascii: "\""),
            body[range.upperBound - 1] == UInt8(ascii: "\"")
        {
            range = range.lowerBound + 1..<range.upperBound - 1
        }
        let text = body.extracting(range)
        guard range.count >= 16, !RedactionMarker.occurs(in: text), RandomValue.looksRandom(text) else { return nil }
        var end = range.upperBound
        while body[end - 1] == UInt8(ascii: "=") { end -= 1 }
        for index in range.lowerBound..<end where !Self.tokenBytes.contains(body[index]) { return nil }
        return range
    }
}

extension RedactionRules {
    /// Returns the rules for values at a path with these names.
    func rules(at path: PathNames) -> RedactionRules {
        guard !path.isEmpty else { return self }
        var names = names
        func add(_ name: String, in fields: SecretNames.Fields, _ verdict: SecretNames.Verdict?) {
            // The rules of the user are more exact.
            if self.names.isStandard(name) { names.add(name, in: fields, verdict) }
        }
        if path.contains(.publicKey) { add("key", in: .json, nil) }
        if path.contains(.code) { add("code", in: [.query, .form, .json], SecretNames.Verdict(.code)) }
        if !path.isDisjoint(with: [.secret, .token]) {
            for name in ["data", "payload", "result", "string"] { add(name, in: .json, SecretNames.Verdict(.likely)) }
            add("value", in: .json, SecretNames.Verdict(path.contains(.secret) ? .group : .likely))
        }
        if path.contains(.data) { add("data", in: .json, SecretNames.Verdict(.likelyGroup)) }
        if path.contains(.content) { add("data", in: .json, SecretNames.Verdict(.group)) }
        return RedactionRules(names: names, of: self)
    }
}
