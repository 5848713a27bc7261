// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseRedaction
@testable import RepriseText

/// The quick check for JSON in which views find nothing more.
@Suite struct HarmlessJSONCheckTests {
    @Test func skipsNoBodyWithSecretInView() throws {
        var generator = SeededGenerator(seed: 17)
        var plainBodies = 0
        for _ in 0..<24_000 {
            let text = Self.object(depth: 0, &generator)
            let body = Array(text.utf8)
            let slice = body[...]
            guard HarmlessJSONCheck.isPlain(slice.span, RedactionRules.standard.names) else { continue }
            plainBodies += 1
            let cuts = DecodedViews.cuts(in: body, kind: .json, rules: .standard)
            guard !cuts.isEmpty else { continue }
            let output = try BodyRedactions.redact(text, type: "application/json").bytes
            for cut in cuts where output.contains(body[cut.range]) {
                Issue.record("kept \(String(decoding: body[cut.range], as: UTF8.self)) in \(text)")
            }
        }
        // Otherwise, most texts are too complicated for the quick check, and the test says little.
        #expect(plainBodies > 4000, "only \(plainBodies) plain bodies")
    }

    // MARK: Generated texts

    private static let keys = [
        "action_url", "args", "code", "cmd", "content", "cursor", "data", "endCursor", "hash", "href", "id", "input",
        "invite_link", "items", "key", "kind", "label", "line", "message", "method", "name", "note", "params", "path",
        "resetLink", "sensitive", "text", "title", "token_type", "type", "url", "user", "value", "verifyUrl",
        "symbol", "address", "columns", "rows",
    ]

    private static let parts = [
        "-p", "--pass", "-u", "//", "://", "://a.example/", "AUTH", "Bestätigungscode", "ENV",
        "IDENTIFIED WITH", "Puzzle_rocket1421x", "by", "code de vérification", "db_password", "est", "isakmp",
        "community", "lautet", "set", "snmp-server", "username",
        "-storepass", "eq", "验证码", "：", "код", "L2NvbmZpZy9wYXNzd29yZA==",
        "cGFzc3dvcmQ9TWFwbGUubGFnb29uMzY5",
        // Compressed with gzip.
        "H4sIAAAAAAACAwXBAQqAIAwAwK+EH9DcxBFEb5k6RbKIjCCiv3f3qk165yJqUpFbq3sZ9G31yZf0hY+6yjNDiE4wJSCbWCxCZpcI"
            + "AEM0Jgek4A2N3qnvB9pcUkNPAAAA",
        "Basic", "Bearer", "IDENTIFIED", "Maple.lagoon369*",
        "OTP", "PASSWORD", "PIN", "PLAIN", "SELECT", "Secret", "a", "a.example", "and", "api_key", "auth", "chpasswd",
        "code", "confirm", "curl", "docker", "flow", "https://", "invitations", "is", "jane", "key", "login", "mysql",
        "now",
        "one-time", "passphrase", "password", "postgres://", "redis", "reset", "root", "send", "sshpass", "the", "to",
        "token",
        "true", "use", "user", "verify", "was", "webhook", "with", "your",
    ]

    private static let separators = [
        " ", " ", " ", "", "", "/", ":", ": ", ", ", ".", ";", "@", "|", "?", "#", "-", "_", "!", "$", "(", ") ", "*",
        "~",
    ]

    private static func object(depth: Int, _ generator: inout SeededGenerator) -> String {
        let count = Int.random(in: 1...4, using: &generator)
        let members = (0..<count).map { _ in "\"\(pick(keys, &generator))\":\(value(depth: depth, &generator))" }
        return "{\(members.joined(separator: ","))}"
    }

    private static func value(depth: Int, _ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return pick(["true", "false", "null", "1", "482913", "1767470768"], &generator)
        case 1 where depth < 3: return object(depth: depth + 1, &generator)
        case 2 where depth < 3:
            let count = Int.random(in: 0...3, using: &generator)
            return "[\((0..<count).map { _ in value(depth: depth + 1, &generator) }.joined(separator: ","))]"
        default:
            let count = Int.random(in: 1...7, using: &generator)
            return "\"\((0..<count).map { _ in part(&generator) + pick(separators, &generator) }.joined())\""
        }
    }

    private static func part(_ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: token("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 4...40, &generator)
        case 1: token("0123456789abcdef", 4...40, &generator)
        case 2: token("0123456789", 1...12, &generator)
        case 3: token("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 4...32, &generator)
        default: pick(parts, &generator)
        }
    }

    private static func token(_ text: String, _ lengths: ClosedRange<Int>, _ generator: inout SeededGenerator) -> String
    {
        let letters = Array(text)
        let length = Int.random(in: lengths, using: &generator)
        return String((0..<length).map { _ in letters[Int.random(in: letters.indices, using: &generator)] })
    }

    private static func pick(_ texts: [String], _ generator: inout SeededGenerator) -> String {
        texts[Int.random(in: texts.indices, using: &generator)]
    }
}
