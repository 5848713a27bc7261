// SPDX-License-Identifier: Apache-2.0

import RepriseServer

/// An edit of a recorded response, parsed from text such as `POST /v1/chat after event 3: reset`.
struct BendText: Equatable {
    let bend: Bend

    /// The reason that text is not a valid edit, and the place of the mistake.
    struct Problem: Error, Equatable, CustomStringConvertible {
        /// The number of the character in the text, starting at 1.
        var column: Int
        /// What was expected and what was found.
        var message: String

        var description: String { "column \(column): \(message)" }
    }

    /// Parses text: an optional request, an optional place, a colon, and the edit.
    init(_ text: String) throws(Problem) {
        var words = Words(text)
        let exchange = words.exchange()
        let place = try words.place()
        try words.expectColon()
        let edit = try words.edit()
        try words.expectEnd()
        bend = Bend(place, edit, of: exchange)
    }

    /// The words of a text, read from left to right.
    private struct Words {
        private var rest: [(text: String, column: Int)] = []
        private let end: Int

        init(_ text: String) {
            var word = ""
            var column = 0
            for character in text {
                column += 1
                if character == " " {
                    if !word.isEmpty { rest.append((word, column - word.count)) }
                    word = ""
                } else {
                    word.append(character)
                }
            }
            end = column + 1
            if !word.isEmpty { rest.append((word, end - word.count)) }
            // The colon is a word of its own.
            guard let place = rest.firstIndex(where: { $0.text.hasSuffix(":") }) else { return }
            let found = rest[place]
            let before = (text: String(found.text.dropLast()), column: found.column)
            let colon = (text: ":", column: found.column + found.text.count - 1)
            rest.replaceSubrange(place...place, with: before.text.isEmpty ? [colon] : [before, colon])
        }

        /// Reads a request such as `POST /v1/chat`, or a number such as `#3`.
        mutating func exchange() -> String? {
            guard let first = rest.first?.text else { return nil }
            if first.hasPrefix("#") { return rest.removeFirst().text }
            guard rest.count > 1, rest[1].text.hasPrefix("/") else { return nil }
            defer { rest.removeFirst(2) }
            return "\(first) \(rest[1].text)"
        }

        mutating func place() throws(Problem) -> Bend.Place {
            let start = rest
            switch next() {
            case ":":
                rest = start
                return .start
            case "event": return .event(try number("a number"))
            case "line": return .line(try number("a number"))
            case "after": return try placeAfter()
            default:
                rest = start
                throw problem("a request, a place such as 'after event 3', or ':'")
            }
        }

        private mutating func placeAfter() throws(Problem) -> Bend.Place {
            let start = rest
            switch next() {
            case "event": return .afterEvent(try number("a number"))
            case "line": return .afterLine(try number("a number"))
            case "byte": return .afterByte(try number("a number"))
            default:
                rest = start
                return .afterTime(try duration("event, line, byte, or a time such as 500ms"))
            }
        }

        mutating func edit() throws(Problem) -> Bend.Edit {
            let start = rest
            switch next() {
            case "reset": return .reset
            case "truncate": return .truncate
            case "stall": return .stall
            case "drop": return .drop
            case "repeat": return .repeat(try number("a number of times"))
            case "delay": return .delay(try duration("a time such as 2s"))
            case "slow": return .slow(bytesPerSecond: try number("a number of bytes a second"))
            case "rechunk": return .rechunk(try number("a number of bytes"))
            case "status": return .status(try number("a status"))
            case "header":
                guard let name = rest.first?.text, name.hasSuffix(":"), name.count > 1 else {
                    throw problem("a header such as 'Retry-After: 2'")
                }
                defer { rest = [] }
                return .header(String(name.dropLast()), rest.dropFirst().map(\.text).joined(separator: " "))
            default:
                rest = start
                throw problem("reset, truncate, stall, drop, repeat, delay, slow, rechunk, status, or header")
            }
        }

        private mutating func next() -> String? { rest.isEmpty ? nil : rest.removeFirst().text }

        mutating func expectColon() throws(Problem) {
            guard rest.first?.text == ":" else { throw problem("':' and an edit such as reset") }
            rest.removeFirst()
        }

        func expectEnd() throws(Problem) {
            guard rest.isEmpty else { throw problem("nothing more") }
        }

        private mutating func number(_ expected: String) throws(Problem) -> Int {
            guard let text = rest.first?.text, let number = Int(text), (0...Int(Int32.max)).contains(number) else {
                throw problem(expected)
            }
            rest.removeFirst()
            return number
        }

        private mutating func duration(_ expected: String) throws(Problem) -> Duration {
            guard let text = rest.first?.text else { throw problem(expected) }
            let unit = text.hasSuffix("ms") ? 2 : text.hasSuffix("s") ? 1 : 0
            guard unit > 0, let number = Double(text.dropLast(unit)), (0...86_400_000).contains(number) else {
                throw problem(expected)
            }
            rest.removeFirst()
            return unit == 2 ? .milliseconds(number) : .seconds(number)
        }

        private func problem(_ expected: String) -> Problem {
            let found = rest.first.map { "'\($0.text)'" } ?? "nothing"
            return Problem(column: rest.first?.column ?? end, message: "expected \(expected), found \(found)")
        }
    }
}
