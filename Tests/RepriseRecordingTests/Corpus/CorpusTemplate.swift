// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport

/// Fills the templates of a case with the values of one client.
///
/// `{{token}}` is the value named `token`, and `{{token|percent|base64}}` is its spelling after some filters. In the
/// definitions of values, `{{hex:40}}` is a generated value. A secret and a fresh value depend on the client's number;
/// other values do not.
struct CorpusTemplate {
    private let example: CorpusCase
    private let client: Int
    private var known: [String: String]

    /// Changes all generated values, to find values that are treated differently from others.
    private static let seed = ProcessInfo.processInfo.environment["REPRISE_CORPUS_SEED"] ?? ""

    init(_ example: CorpusCase, client: Int) {
        self.example = example
        self.client = client
        known = [:]
    }

    /// Sets a value, as when a client took it from a response.
    mutating func set(_ name: String, _ value: String) {
        known[name] = value
    }

    /// Returns the value with the given name.
    mutating func value(_ name: String) -> String {
        if let value = known[name] { return value }
        let isOwn = example.secrets?[name] != nil || example.fresh?[name] != nil
        guard let template = example.secrets?[name] ?? example.fresh?[name] ?? example.values?[name] else {
            fatalError("\(example.name): expected a value named \(name)")
        }
        let seed = "\(example.name)/\(name)/\(isOwn ? client : 0)\(Self.seed)"
        var generator = CorpusGenerator(seed)
        let filled = replace(in: template) { this, reference in
            reference.contains(":") ? generator.value(reference) : this.spelled(reference)
        }
        known[name] = filled
        return filled
    }

    /// Returns a text with its references replaced.
    mutating func fill(_ text: String) -> String {
        replace(in: text) { this, reference in this.spelled(reference) }
    }

    private mutating func spelled(_ reference: String) -> String {
        let parts = reference.split(separator: "|").map(String.init)
        return parts.dropFirst().reduce(value(parts[0])) { CorpusSpelling.apply($1, to: $0) }
    }

    private mutating func replace(in text: String, _ value: (inout Self, String) -> String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.range(of: "{{") {
            let reference = rest[start.upperBound...].prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || ":|_-".contains($0))
            }
            guard !reference.isEmpty, rest[reference.endIndex...].hasPrefix("}}") else {
                // `{{"a": …` is text. A brace at a time, because `{{{name}}}` is a reference in braces.
                result += rest[..<rest.index(after: start.lowerBound)]
                rest = rest[rest.index(after: start.lowerBound)...]
                continue
            }
            result += rest[..<start.lowerBound] + value(&self, String(reference))
            rest = rest[rest.index(reference.endIndex, offsetBy: 2)...]
        }
        return result + rest
    }
}

/// Generates values that look like those of real APIs.
struct CorpusGenerator {
    private var random: SeededGenerator

    init(_ seed: String) {
        // FNV-1a.
        let hash = seed.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        random = SeededGenerator(seed: hash)
    }

    private static let digits = "0123456789"
    private static let small = "abcdefghijklmnopqrstuvwxyz"
    private static let capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let words = [
        "maple", "harbor", "violet", "granite", "lantern", "meadow", "copper", "saddle", "thunder", "pepper", "window",
        "orchard",
    ]

    private mutating func text(_ alphabet: String, _ count: Int) -> String {
        let alphabet = Array(alphabet)
        return String((0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
    }

    private mutating func bytes(_ count: Int) -> Data {
        Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// Returns a value of the given kind, such as `hex:40`.
    mutating func value(_ kind: String) -> String {
        let parts = kind.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let count = Int(parts[1]) ?? 0
        switch parts[0] {
        case "hex": return text("0123456789abcdef", count)
        case "HEX": return text("0123456789ABCDEF", count)
        case "base62": return text(Self.digits + Self.small + Self.capitals, count)
        case "base36": return text(Self.digits + Self.small, count)
        case "BASE36": return text(Self.digits + Self.capitals, count)
        case "base32": return text(Self.capitals + "234567", count)
        case "nano": return text(Self.digits + Self.small + Self.capitals + "_-", count)
        case "alpha": return text(Self.small, count)
        case "digits", "int": return text("123456789", 1) + text(Self.digits, count - 1)
        case "pin": return text("6789", 1) + text("13579", count - 1)
        case "base64": return bytes(count).base64EncodedString()
        case "base64url": return CorpusSpelling.base64url(bytes(count))
        case "uuid": return uuid()
        case "jwt": return jwt()
        case "password": return password(count)
        case "passphrase": return (0..<count).map { _ in text(Self.words) }.joined(separator: "-")
        case "word": return text(Self.words)
        case "pem": return bytes(count).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        default: return time(parts[0], number: Int.random(in: 0..<80_000, using: &random))
        }
    }

    private mutating func text(_ words: [String]) -> String {
        words[Int.random(in: 0..<words.count, using: &random)]
    }

    /// Letters, digits and symbols, as of a password that a person or a tool made.
    private mutating func password(_ count: Int) -> String {
        let core = text(Self.capitals, 1) + text(Self.small, 3) + text(Self.digits, 2) + text("!#$*@", 1)
        return core + text(Self.digits + Self.small + Self.capitals, max(0, count - 7))
    }

    private mutating func uuid() -> String {
        let hex = Array(text("0123456789abcdef", 32))
        return String(hex[0..<8]) + "-" + String(hex[8..<12]) + "-4" + String(hex[13..<16]) + "-a"
            + String(hex[17..<20])
            + "-" + String(hex[20..<32])
    }

    private mutating func jwt() -> String {
        let issued = 1_795_000_000 + Int.random(in: 0..<90_000, using: &random)
        let head = #"{"alg":"HS256","typ":"JWT"}"#
        let claims = #"{"sub":"\#(text(Self.digits, 10))","iat":\#(issued),"exp":\#(issued + 3600)}"#
        let parts = [Data(head.utf8), Data(claims.utf8), bytes(32)]
        return parts.map { CorpusSpelling.base64url($0) }.joined(separator: ".")
    }

    private func time(_ kind: String, number: Int) -> String {
        let (hour, minute, second) = (number / 3600, number / 60 % 60, number % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        switch kind {
        case "unix": return String(1_795_200_000 + number)
        case "millis": return String(1_795_200_000 + number) + "123"
        case "iso": return "2026-11-21T\(two(hour)):\(two(minute)):\(two(second))Z"
        case "amzdate": return "20261121T\(two(hour))\(two(minute))\(two(second))Z"
        case "httpdate": return "Sat, 21 Nov 2026 \(two(hour)):\(two(minute)):\(two(second)) GMT"
        default: fatalError("expected a kind of value, found \(kind)")
        }
    }
}
