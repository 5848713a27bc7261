// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

enum SecretSpellings {
    /// The minimum length of a value that is also looked for in Base64, where it has another spelling at each of three
    /// offsets.
    private static let minimumBase64Length = 12

    /// Returns the value as it is, and decoded: without percent-encoding, JSON escapes, and character references. Two
    /// values are the same secret if they have one of these in common. The last one is fully decoded.
    static func meanings(of value: [UInt8]) -> [[UInt8]] {
        var meanings: [[UInt8]] = []
        func add(_ text: [UInt8]) {
            let trimmed = trimmed(text)
            if !trimmed.isEmpty, !meanings.contains(trimmed) { meanings.append(trimmed) }
        }
        add(value)
        if value.contains(UInt8(ascii: "\\")) { add(JSONEscapes.decoded(value.span)) }
        if let text = TextEscapes.references.decoded(value.span, value.indices) { add(text.bytes) }
        if let last = meanings.last, last.contains(UInt8(ascii: "%")) {
            if last.contains(UInt8(ascii: "+")) { add(FormText.decoded(last.span)) }
            add(PercentEscape.decoded(last.span))
        }
        return meanings
    }

    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        guard let first = text.first, let last = text.last, first <= 0x20 || last <= 0x20 else { return text }
        return Array(text.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed())
    }

    /// The lengths of values that are also looked for in hexadecimal digits.
    private static let hexadecimalLengths = 8...256

    /// The lengths of values in Base64 whose decoded content is also looked for by itself.
    private static let decodedLengths = 8...1024

    /// Returns the decoded content of a value in Base64 if it is a single word, such as the password in a Kubernetes
    /// secret. Addresses and pairs of a name and a value are excluded, because elsewhere they may be public.
    static func content(ofBase64 value: [UInt8]) -> [UInt8]? {
        guard decodedLengths.contains(value.count) else { return nil }
        var end = value.count
        while end > 0, value[end - 1] == UInt8(ascii: "=") { end -= 1 }
        guard value.count - end <= 2, value[..<end].allSatisfy(EncodedText.alphabet.contains),
            !EncodedText.isCompressed(value.span, 0..<end), let text = EncodedText.text(value.span, 0..<end)
        else { return nil }
        let content = trimmed(text)
        guard let first = content.first, !"{[<#/".utf8.contains(first) else { return nil }
        for byte in content where byte <= 0x20 || byte >= 0x7F || ":@".utf8.contains(byte) { return nil }
        return content
    }

    // MARK: Searching

    /// Returns the spellings in which a value can occur elsewhere: as it is, in a URL and a form, in JSON, in HTML, in
    /// Base64, and in hexadecimal digits. Hexadecimal digits are also looked for in the other case.
    static func searched(for value: [UInt8]) -> [(bytes: [UInt8], form: SecretTable.Form)] {
        var all: [([UInt8], SecretTable.Form)] = [(value, .word)]
        if !value.allSatisfy({ ByteSet.word.contains($0) || $0 == UInt8(ascii: "-") }) {
            var spellings: Set<[UInt8]> = [value]
            for text in inURLs(value) + inJSON(value) + inHTML(value) where spellings.insert(text).inserted {
                all.append((text, .word))
            }
        }
        if let other = inOtherCase(value) { all.append((other, .word)) }
        if value.count >= minimumBase64Length { all += inBase64(value) }
        if hexadecimalLengths.contains(value.count) { all += inHexadecimal(value) }
        return all
    }

    /// Returns hexadecimal digits, possibly in groups as in a UUID, in the other case. Returns `nil` for any other
    /// value, and for digits in both cases.
    private static func inOtherCase(_ value: [UInt8]) -> [UInt8]? {
        guard value.count >= minimumBase64Length else { return nil }
        var (hasSmall, hasCapital) = (false, false)
        for byte in value {
            guard hexadecimalValue(byte) != nil || byte == UInt8(ascii: "-") else { return nil }
            if byte &- 0x61 < 26 { hasSmall = true } else if byte &- 0x41 < 26 { hasCapital = true }
        }
        guard hasSmall != hasCapital else { return nil }
        return value.map { ($0 | 0x20) &- 0x61 < 26 ? $0 ^ 0x20 : $0 }
    }

    /// Returns the value as lowercase and as uppercase hexadecimal digits. Both can be part of a longer dump.
    private static func inHexadecimal(_ value: [UInt8]) -> [(bytes: [UInt8], form: SecretTable.Form)] {
        [Array("0123456789abcdef".utf8), Array("0123456789ABCDEF".utf8)].map { digits in
            let text = value.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
            return (text, .inner(sharesFirst: false, sharesLast: false))
        }
    }

    private static func inURLs(_ value: [UInt8]) -> [[UInt8]] {
        let once = PercentEscape.encoded(value.span, except: .unreserved)
        let component = PercentEscape.encoded(value.span, except: .unreserved.union(ByteSet("!'()*")))
        let path = PercentEscape.encoded(value.span, except: .pathSegment.union(ByteSet("/?")))
        let form = FormText.encoded(value)
        return [once, lowercased(once), component, path, form, lowercased(form)]
            + [PercentEscape.encoded(once.span, except: .unreserved)]
    }

    /// Returns the text with the hexadecimal digits of its escapes in lowercase.
    private static func lowercased(_ text: [UInt8]) -> [UInt8] {
        var text = text
        var index = 0
        while index + 2 < text.count {
            if text[index] == UInt8(ascii: "%") {
                text[index + 1] = text[index + 1].asciiLowercased
                text[index + 2] = text[index + 2].asciiLowercased
                index += 2
            }
            index += 1
        }
        return text
    }

    /// As most encoders write it, with escaped slashes (PHP), and with the characters of HTML escaped (Go, Gson, .NET).
    private static func inJSON(_ value: [UInt8]) -> [[UInt8]] {
        [
            inJSON(value, [], isUppercase: false),
            inJSON(value, Array("/".utf8), isUppercase: false),
            inJSON(value, Array("<>&".utf8), isUppercase: false),
            inJSON(value, Array("<>&='".utf8), isUppercase: false),
            inJSON(value, Array("<>&'+`\"".utf8), isUppercase: true),
        ]
    }

    private static func inJSON(_ value: [UInt8], _ escaped: [UInt8], isUppercase: Bool) -> [UInt8] {
        var output: [UInt8] = []
        for byte in value {
            switch byte {
            case UInt8(ascii: "/") where escaped.contains(byte): output += Array("\\/".utf8)
            case _ where escaped.contains(byte):
                let digits = String(byte, radix: 16, uppercase: isUppercase)
                output += Array("\\u00\(digits)".utf8)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
            case 0x0A: output += Array("\\n".utf8)
            case 0x0D: output += Array("\\r".utf8)
            case 0x09: output += Array("\\t".utf8)
            default: output.append(byte)
            }
        }
        return output
    }

    /// The value in Base64 at each of the three offsets at which it can start, without the characters that also depend
    /// on its neighbors.
    private static func inBase64(_ value: [UInt8]) -> [(bytes: [UInt8], form: SecretTable.Form)] {
        (0..<3).flatMap { offset -> [(bytes: [UInt8], form: SecretTable.Form)] in
            let encoded = Base64.encode([UInt8](repeating: 0, count: offset) + value)
            // A character holds 6 bits. The first and the last one can share theirs with a neighbor.
            let first = (8 * offset + 5) / 6
            let end = 8 * (offset + value.count) / 6
            let text = Array(encoded[first..<end])
            let isSame = !text.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
            let form = SecretTable.Form.inner(
                sharesFirst: 8 * offset % 6 != 0,
                sharesLast: 8 * (offset + value.count) % 6 != 0
            )
            return isSame ? [(text, form)] : [(text, form), (text.map(inURLAlphabet), form)]
        }
    }

    private static func inURLAlphabet(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
    }

    // MARK: HTML

    /// The characters that are escaped in HTML and XML.
    private static let references: [(name: [UInt8], byte: UInt8)] = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"),
        ("&#x27;", "'"), ("&#34;", "\""), ("&#x3D;", "="), ("&#x2F;", "/"), ("&#43;", "+"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)[0]) }

    /// The references that encoders write: in text, in Java and XML, in Python and JavaScript, and in Go. All of them
    /// escape `&`, `<`, and `>`.
    private static let encoders: [[[UInt8]]] = [
        [], ["&quot;"], ["&quot;", "&#39;"], ["&quot;", "&apos;"], ["&quot;", "&#x27;"],
        ["&quot;", "&#x27;", "&#x2F;"], ["&quot;", "&#39;", "&#x2F;", "&#x3D;"], ["&#34;", "&#39;"],
        ["&#34;", "&#39;", "&#43;"],
    ].map { names in (["&amp;", "&lt;", "&gt;"] + names).map { Array($0.utf8) } }

    private static func inHTML(_ value: [UInt8]) -> [[UInt8]] {
        guard value.contains(where: { byte in references.contains { $0.byte == byte } }) else { return [] }
        return encoders.map { names in
            value.flatMap { byte in references.first { $0.byte == byte && names.contains($0.name) }?.name ?? [byte] }
        }
    }
}

/// Credentials with a scheme (RFC 9110 section 11.4), such as `Bearer abc`. The scheme is not a secret, and it stays,
/// so that a token is the same secret in the response of a login and in a later Authorization line.
struct SchemeCredentials {
    /// The number of bytes of the scheme and the space after it.
    let start: Int
    /// Whether the credentials are a user name and a password (RFC 7617).
    let isBasic: Bool

    /// The schemes that IANA lists, and those of well-known services. Any other first word can be a part of the secret.
    private static let schemes = Set(
        [
            "apikey", "api-key", "aws4-hmac-sha256", "aws", "basic", "bearer", "bot", "concealed", "digest", "dpop",
            "ghapp", "gnap", "googlelogin", "hawk", "hmac", "hoba", "jwt", "key", "mac", "mutual", "negotiate", "ntlm",
            "oauth", "oauth2", "privatetoken", "scram-sha-1", "scram-sha-256", "sharedaccesssignature", "sharedkey",
            "sharedkeylite", "signature", "splunk", "ssws", "token", "vapid", "zoho-oauthtoken",
        ].map { Array($0.utf8) }
    )
    private static let longestScheme = 24

    /// Returns `nil` if the value does not start with a known scheme.
    init?(_ value: [UInt8]) {
        guard let space = value.prefix(Self.longestScheme + 1).firstIndex(of: 0x20), space > 0, space + 1 < value.count,
            case let scheme = value[..<space].map(\.asciiLowercased), Self.schemes.contains(scheme)
        else { return nil }
        start = value[space...].firstIndex { $0 != 0x20 } ?? value.count
        guard start < value.count else { return nil }
        isBasic = scheme.elementsEqual("basic".utf8)
    }

    /// Returns the decoded `user:password` and the password of Basic credentials.
    static func basic(_ credentials: [UInt8]) -> (whole: [UInt8], password: [UInt8])? {
        guard let decoded = Base64.decode(credentials[...]), let colon = decoded.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return (decoded, Array(decoded[(colon + 1)...]))
    }
}
