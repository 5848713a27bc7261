// SPDX-License-Identifier: Apache-2.0

/// The name of a test's cassette that nobody named: its module, its suites and its function, each a folder or a file.
///
/// It depends on nothing else, so that it stays when the test moves within its file or to another one.
enum CassetteName {
    /// The longest part, in UTF-8: with what a recording adds to it, a file name has room for more.
    private static let maximumLength = 96

    /// `Module/Outer/Inner/function`.
    ///
    /// - Parameters:
    ///   - module: the module's name.
    ///   - components: the names of the suites, the outermost first, and of the function.
    static func automatic(module: String, _ components: [String]) -> String {
        ([module] + components).map(fileName).joined(separator: "/")
    }

    /// A part of a name as a file name: `loads(page:)` is `loads-page`.
    ///
    /// What is no identifier (a raw one, say) keeps its letters and digits, and gets a number made from all of it, so that
    /// two that differ in other characters alone stay apart.
    static func fileName(_ part: String) -> String {
        let name = part.filter { $0 != "`" }
        var words: [Substring] = []
        var isPlain = true
        for word in name.split(whereSeparator: { !isKept($0) }) { words.append(word) }
        // An identifier, or one with its labels.
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

    private static func isKept(_ character: Character) -> Bool {
        character == "_" || character.isLetter || character.isNumber
    }

    /// FNV-1a: the same on every machine and in every run, unlike a hash value.
    private static func checksum(_ text: String) -> UInt32 {
        text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
