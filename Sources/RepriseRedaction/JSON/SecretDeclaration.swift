// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// What a member of a JSON object declares about the other members.
struct SecretDeclaration: OptionSet {
    let rawValue: UInt16

    /// The value is secret: `"sensitive": true`, `"Type": "SecureString"`.
    static let secretValue = SecretDeclaration(rawValue: 1)
    /// The value is secret if it looks random: `"encrypted": true`.
    static let likelyValue = SecretDeclaration(rawValue: 2)
    /// The data of the object is secret: `"kind": "Secret"` (Kubernetes).
    static let secretKind = SecretDeclaration(rawValue: 4)
    /// The data of the items is secret: `"kind": "SecretList"`.
    static let secretList = SecretDeclaration(rawValue: 8)
    /// The result of the resource is secret: `"type": "random_password"` (Terraform).
    static let secretResource = SecretDeclaration(rawValue: 16)
    /// The `keys` are shares of the unseal key, because a root token or their Base64 is beside them (Vault).
    static let shares = SecretDeclaration(rawValue: 32)
    /// The answer to a question in the object is secret: `"recovery_question": {…}`.
    static let question = SecretDeclaration(rawValue: 64)
    /// The object calls a method that signs in: `"method": "login"` (JSON-RPC).
    static let login = SecretDeclaration(rawValue: 128)
    /// The object calls a method whose password follows the name or the number of the user:
    /// `"method": "execute_kw"` (Odoo).
    static let password = SecretDeclaration(rawValue: 256)
}

extension SecretDeclaration {
    /// Reads a member.
    ///
    /// - Parameters:
    ///   - keyEnd: The index of the quote after the key.
    ///   - colon: The index of the colon after it.
    init(_ text: Span<UInt8>, keyEnd: Int, colon: Int) {
        self = []
        guard keyEnd >= 4 else { return }
        let ending = (text[keyEnd - 3] | 0x20, text[keyEnd - 2] | 0x20, text[keyEnd - 1] | 0x20)
        switch ending {
        // type, kind, method
        case (0x79, 0x70, 0x65), (0x69, 0x6E, 0x64), (0x68, 0x6F, 0x64): readType(text, keyEnd, colon)
        // sensitive, secret, secured, masked, encrypted, hidden, secure
        case (0x69, 0x76, 0x65), (0x72, 0x65, 0x74), (0x72, 0x65, 0x64), (0x6B, 0x65, 0x64), (0x74, 0x65, 0x64),
            (0x64, 0x65, 0x6E), (0x75, 0x72, 0x65):
            readFlag(text, keyEnd, colon)
        // keys_base64, root_token, recovery_question
        case (0x65, 0x36, 0x34), (0x6B, 0x65, 0x6E), (0x69, 0x6F, 0x6E), (0x6F, 0x6E, 0x73):
            readName(text, keyEnd)
        default: return
        }
    }

    /// Returns the range of the key that ends at `end`.
    private static func name(_ text: Span<UInt8>, _ end: Int) -> Range<Int> {
        var start = end
        while start > 0, end - start < 40, text[start - 1] != UInt8(ascii: "\"") { start -= 1 }
        return start..<end
    }

    // MARK: Flags

    private mutating func readFlag(_ text: Span<UInt8>, _ keyEnd: Int, _ colon: Int) {
        var value = text.firstVisible(from: colon + 1)
        if value < text.count, text[value] == UInt8(ascii: "\"") { value += 1 }
        guard text.hasWord(Self.truth, at: value) else { return }
        formUnion(Self.flag(named: text.extracting(Self.name(text, keyEnd))))
    }

    /// What a field with this name declares if it is true.
    static func flag(named name: Span<UInt8>) -> SecretDeclaration {
        let letters = NameWords(name).letters[...]
        let word = letters.starts(with: "is".utf8) ? letters.dropFirst(2) : letters
        if secretFlags.contains(Array(word)) { return .secretValue }
        return likelyFlags.contains(Array(word)) ? .likelyValue : []
    }

    private static let truth = Array("true".utf8)
    private static let secretFlags = Set(words: ["secret", "secretvalue", "secured", "sensitive", "sensitivevalue"])
    // These flags also have other meanings: cookies are secure, disks are encrypted, form fields are hidden, and a job
    // can mask all of its variables.
    private static let likelyFlags = Set(words: ["encrypted", "hidden", "masked", "secure"])

    // MARK: Types

    private mutating func readType(_ text: Span<UInt8>, _ keyEnd: Int, _ colon: Int) {
        let quote = text.firstVisible(from: colon + 1)
        guard quote < text.count, text[quote] == UInt8(ascii: "\"") else { return }
        let end = min(text.count, quote + 65)
        guard let close = text.firstIndex(of: UInt8(ascii: "\""), in: quote + 1..<end), close > quote + 4 else {
            return
        }
        let value = text.extracting(quote + 1..<close)
        switch text[keyEnd - 1] | 0x20 {
        case UInt8(ascii: "e"): readType(value)
        default: readKind(value, text.extracting(Self.name(text, keyEnd)))
        }
    }

    private mutating func readType(_ value: Span<UInt8>) {
        for ending in Self.resources where value.hasWord(ending, at: value.count - ending.count) {
            formUnion(.secretResource)
        }
        guard Self.typeStarts.contains(where: { value.hasWord($0, at: 0) }) else { return }
        let letters = NameWords(value).letters
        if Self.secretTypes.contains(letters) { formUnion(.secretValue) }
        if Self.likelyTypes.contains(letters) { formUnion(.likelyValue) }
    }

    /// The last words of the types of resources with a secret result.
    private static let resources = ["_password", "_secret", "_secret_version"].map { Array($0.utf8) }
    private static let typeStarts = ["secur", "sensitive", "masked", "encrypted", "confidential"].map { Array($0.utf8) }
    private static let secretTypes = Set(words: ["secureobject", "securestring", "securetext", "sensitive"])
    private static let likelyTypes = Set(words: ["confidential", "encrypted", "masked", "secure"])

    private mutating func readKind(_ value: Span<UInt8>, _ name: Span<UInt8>) {
        if name.count == 4, name.hasWord(Self.kind, at: 0) {
            if value.count == 6, value.has(Self.kindOfSecret, at: 0) { formUnion(.secretKind) }
            if value.count == 10, value.has(Self.kindOfList, at: 0) { formUnion(.secretList) }
        } else if Self.takesPassword(value) {
            formUnion(.password)
        } else if Self.signsIn(value) {
            formUnion(.login)
        }
    }

    /// Whether a method signs in, judging by the end of its name, or takes a password in each call.
    static func signsIn(_ method: Span<UInt8>) -> Bool {
        methods.contains { method.hasWord($0, at: method.count - $0.count) } || takesPassword(method)
    }

    /// Whether a method takes the password of a user in each call, as in the APIs of Odoo, WordPress, and Ethereum.
    private static func takesPassword(_ method: Span<UInt8>) -> Bool {
        passwordMethods.contains { method.count == $0.count && method.hasWord($0, at: 0) }
            || passwordSpaces.contains { method.count > $0.count && method.hasWord($0, at: 0) }
    }

    private static let kind = Array("kind".utf8)
    private static let (kindOfSecret, kindOfList) = (Array("Secret".utf8), Array("SecretList".utf8))
    private static let methods = ["login", "logon", "signin", "sign_in", "authenticate"].map { Array($0.utf8) }

    private static let passwordMethods = ["execute_kw", "personal_unlockaccount", "personal_sign"].map {
        Array($0.utf8)
    }
    private static let passwordSpaces = ["wp.", "metaweblog.", "blogger.", "mt."].map { Array($0.utf8) }

    // MARK: Names

    private mutating func readName(_ text: Span<UInt8>, _ keyEnd: Int) {
        let name = text.extracting(Self.name(text, keyEnd))
        let letters = NameWords(name).letters
        if Self.neighborsOfShares.contains(letters) { formUnion(.shares) }
        if Self.namesQuestion(name) { formUnion(.question) }
    }

    /// Whether a name denotes a security question.
    static func namesQuestion(_ name: Span<UInt8>) -> Bool {
        guard 14...24 ~= name.count else { return false }
        return questions.contains(NameWords(name).letters)
    }

    private static let neighborsOfShares = Set(words: ["keysbase", "roottoken"])
    private static let questions = Set(words: [
        "recoveryquestion", "recoveryquestions", "secretquestion", "secretquestions", "securityquestion",
        "securityquestions",
    ])
}
