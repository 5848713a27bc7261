// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `Messages.txt` lists all messages of the package side by side.
struct MessageTableTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let table = folder.appending(path: "Messages.txt")
    private static let sources = folder.appending(path: "../../../Sources").standardized

    /// To update the table, run: `REPRISE_UPDATE_MESSAGES=1 swift test --filter MessageTableTests`
    @Test func listsEveryMessage() throws {
        let text = try Self.messagesByTarget()
            .map { "\($0.target)\n\n" + $0.messages.map { "  \($0)\n" }.joined() }
            .joined(separator: "\n")
        if ProcessInfo.processInfo.environment["REPRISE_UPDATE_MESSAGES"] == "1" {
            try text.write(to: Self.table, atomically: true, encoding: .utf8)
        }
        let listed = try String(contentsOf: Self.table, encoding: .utf8)
        let difference = text.split(separator: "\n").difference(from: listed.split(separator: "\n"))
        #expect(difference.isEmpty, "read the new messages beside the others, then update the table")
    }

    @Test func everyMessageFollowsTheSameForm() throws {
        for (target, messages) in try Self.messagesByTarget() {
            for message in messages {
                #expect(Self.fault(in: message) == nil, "\(target): \(message)")
            }
        }
    }

    @Test(
        arguments: [
            ("expected a port, found 'x'; use 8080", nil),
            ("Expected a port, found 'x'", "begins with a capital letter"),
            ("found 'x', expected a port", "names the finding before the expectation"),
            ("expected a port, found 'x'.", "ends with a period"),
            ("expected a port, but found 'x'", "has 'but' before 'found'"),
            ("the request was cancelled", "contains 'cancelled'"),
        ] as [(String, String?)]
    )
    func findsFaults(message: String, fault: String?) {
        #expect(Self.fault(in: message) == fault)
    }

    @Test func joinsLiteralsAndShowsInterpolations() {
        let source = #"""
            // "a comment is not a message"
            precondition(count > 0, "a message for developers only")
            throw Problem("expected \(what) in \(object.name), "
                + "found \(clipped("(", to: 3)); run it again")
            """#
        #expect(
            MessageScanner.messages(in: source) == ["expected <what> in <object.name>, found <…>; run it again"]
        )
    }

    @Test func skipsListsOfWords() {
        let source = #"""
            let words = set(
                "a message is not a list of words"
                    + " in which each word counts"
            )
            let names = ["one time code", "image pull secret"] + [
                "another pull secret",
            ]
            fail("expected a name in the list", names)
            """#
        #expect(MessageScanner.messages(in: source) == ["expected a name in the list"])
    }

    private static func fault(in message: String) -> String? {
        if message.contains("cancelled") { return "contains 'cancelled'" }
        guard let expected = message.range(of: "expected ", options: .caseInsensitive) else { return nil }
        if message[expected].first == "E" { return "begins with a capital letter" }
        if message.hasSuffix(".") { return "ends with a period" }
        guard let found = message.range(of: "found ") else { return nil }
        if found.lowerBound < expected.lowerBound { return "names the finding before the expectation" }
        return message[..<found.lowerBound].hasSuffix("but ") ? "has 'but' before 'found'" : nil
    }

    private static func messagesByTarget() throws -> [(target: String, messages: [String])] {
        let targets = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
        return try targets.compactMap { target in
            let messages = try swiftFiles(in: sources.appending(path: target)).flatMap { file in
                MessageScanner.messages(in: try String(contentsOf: file, encoding: .utf8))
            }
            return messages.isEmpty ? nil : (target, Set(messages).sorted())
        }
    }

    private static func swiftFiles(in folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
            .map { folder.appending(path: $0) }
    }
}
