// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRecording

@Suite struct FingerprintSearchTests {
    private static let salt: [UInt8] = [1, 2, 3]
    private static let secret = "kJ8sQ2pX9vLm"
    private static let longer = "Zx81-QwLk22TtYb7P"

    private func search() -> FingerprintSearch {
        let values = [Self.secret, Self.longer].map { SecretFingerprint(of: Array($0.utf8)[...], salt: Self.salt) }
        return FingerprintSearch(Set(values), salt: Self.salt)
    }

    /// `@` stands for the value.
    @Test(arguments: [
        "@", "x=@", "@;", "\\n@\\n", "%3D@%20", "\\u003d@\"", "a @ b", "/@/", "-@-", "\\t@", "x\\n@", "[@]", "{@}",
        "`@:",
    ])
    func findsValueBetweenOtherCharacters(form: String) {
        for value in [Self.secret, Self.longer] {
            var search = search()
            #expect(search.values(in: Array(form.replacing("@", with: value).utf8)) == [Array(value.utf8)])
        }
    }

    @Test(arguments: ["a@", "@a", "1@", "@1", "n@", "3D@", "u003d@", "x%D@", "Zz@"])
    func findsNoPartOfAnotherWord(form: String) {
        var search = search()
        #expect(search.values(in: Array(form.replacing("@", with: Self.secret).utf8)).isEmpty)
    }

    @Test func findsEachValueOnce() {
        var search = search()
        #expect(search.longest == Self.longer.utf8.count)
        #expect(search.values(in: Array("\(Self.longer) \(Self.secret) \(Self.longer)".utf8)).count == 2)
        #expect(search.isEmpty)
        #expect(search.values(in: Array(Self.secret.utf8)).isEmpty)
        #expect(search.longest == Self.longer.utf8.count)
    }

    @Test func findsNothingWithoutFingerprints() {
        var search = FingerprintSearch([], salt: Self.salt)
        #expect(search.isEmpty)
        #expect(search.longest == 0)
        #expect(search.values(in: Array(Self.secret.utf8)).isEmpty)
    }

    @Test func findsNothingInShorterText() {
        var search = search()
        #expect(search.values(in: []).isEmpty)
        #expect(search.values(in: Array(Self.secret.utf8.dropLast())).isEmpty)
    }

    @Test(arguments: [
        "", "12", "12:", ":00", "0:\(String(repeating: "a", count: 32))", "-1:\(String(repeating: "a", count: 32))",
        "12:\(String(repeating: "a", count: 31))", "12:\(String(repeating: "a", count: 33))",
        "12:\(String(repeating: "a", count: 31))g", "12:\(String(repeating: "a", count: 32))g",
        "12:\(String(repeating: "a", count: 32)):1",
    ])
    func rejectsInvalidText(text: String) {
        #expect(SecretFingerprint(text: Array(text.utf8)) == nil)
    }

    @Test func textIsReadAgain() {
        let fingerprint = SecretFingerprint(of: Array(Self.secret.utf8)[...], salt: Self.salt)
        #expect(SecretFingerprint(text: Array(fingerprint.text.utf8)) == fingerprint)
        #expect(fingerprint.text.hasPrefix("12:"))
        #expect(fingerprint.text.utf8.count == 35)
        #expect(SecretFingerprint(of: Array(Self.secret.utf8)[...], salt: [1]) != fingerprint)
    }

    @Test(arguments: [
        ("kJ8sQ2pX9vLm", true), ("kJ8sQ2pX9vL", false), ("abcdefghij12", true), ("abcdefghijk1", false),
        ("1234567890ab", true), ("12345678901a", false), ("abcdefgh 123", false), ("abcdefgh~123", true),
        ("abcdefgh\u{7F}123", false), ("abcdefgh!123", true), ("abcdefghé123", false),
    ])
    func onlyMixedTextIsSuitable(text: String, isSuitable: Bool) {
        #expect(SecretFingerprint.isSuitable(Array(text.utf8)[...]) == isSuitable)
    }

    @Test func longTextIsSuitableUpToFourKibibytes() {
        for (count, isSuitable) in [(4096, true), (4097, false)] {
            let text = Array(repeating: UInt8(ascii: "a"), count: count - 2) + Array("12".utf8)
            #expect(SecretFingerprint.isSuitable(text[...]) == isSuitable)
        }
    }
}
