// SPDX-License-Identifier: Apache-2.0

/// The default name of a test's cassette. Its module and its suites become folders, and its function the file.
///
/// The name depends on nothing else, so it stays the same when the test moves within its file or to another file.
enum CassetteName {
    /// The maximum length of a part in UTF-8. It leaves room in a file name for what a recording appends.
    private static let maximumLength = 96

    /// Returns a name such as `Module/Outer/Inner/function`.
    static func automatic(module: String, _ components: [String]) -> String {
        ([module] + components).map(fileName).joined(separator: "/")
    }

    /// Returns a part of a name as a file name: `loads(page:)` becomes `loads-page`.
    ///
    /// A name that is not an identifier, such as a raw identifier, keeps its letters and digits and gets a checksum
    /// of the whole name. Names that differ only in other characters therefore stay distinct.
    static func fileName(_ part: String) -> String {
        let name = part.filter { $0 != "`" }
        var words: [Substring] = []
        var isPlain = true
        for word in name.split(whereSeparator: { !isKept($0) }) { words.append(word) }
        // Accept an identifier, with or without argument labels.
        for character in name where !isKept(character) && !"(:)".contains(character) { isPlain = false }
        let text = words.joined(separator: "-")
        if isPlain, !text.isEmpty, text.utf8.count <= maximumLength { return text }
        let number = String(checksum(name), radix: 16)
        var short = ""
        for character in text where short.utf8.count + character.utf8.count <= maximumLength - 20 {
            short.append(character)
        }
        return short.isEmpty ? number : "\(short)-\(number)"
    }

    /// Returns a name that the test gave as the first argument in code; empty if it gave none.
    static func argument(_ name: String?) -> String {
        name.map { "\($0.debugDescription), " } ?? ""
    }

    private static func isKept(_ character: Character) -> Bool {
        character == "_" || character.isLetter || character.isNumber
    }

    /// FNV-1a, which unlike a hash value is the same on every machine and in every run.
    private static func checksum(_ text: String) -> UInt32 {
        text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
