// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport

/// A command in a document's console block, and its output according to the document.
struct ConsoleExample: CustomStringConvertible {
    /// The command, after its `$`.
    let command: String
    /// The lines after the command, without the final line break.
    let output: String

    var description: String { command }

    /// The examples in the console blocks of a Markdown text.
    static func all(in text: String) -> [ConsoleExample] {
        let blocks = text.components(between: "```console\n", and: "```\n")
        return blocks.flatMap { block in
            // A prompt begins an example; the lines of an open quotation don't begin with a prompt.
            ("\n" + block).splitting(before: "\n$ ").map { example in
                var command: [Substring] = []
                var lines = example.split(separator: "\n", omittingEmptySubsequences: false)[...]
                repeat { command.append(lines.removeFirst()) } while !lines.isEmpty && Self.isOpen(command)
                return ConsoleExample(
                    command: command.joined(separator: "\n"),
                    output: lines.joined(separator: "\n").withoutFinalNewlines
                )
            }
        }
    }

    private static func isOpen(_ lines: [Substring]) -> Bool {
        lines.joined().count { $0 == "'" } % 2 == 1
    }

    /// The words of the command, with single quotes parsed as in a shell.
    var words: [String] {
        var words: [String] = []
        for (index, part) in command.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 {
                words.append(String(part))
            } else {
                words += part.split(separator: " ").map(String.init)
            }
        }
        return words
    }
}

/// The request of a `curl` command with the simplest options.
struct CurlCommand {
    var method: String?
    var target = "/"
    var headers: [String] = []
    var body: String?
    /// Whether the command also prints the head.
    var printsHead = false
    /// Whether the document shows a Date line. That of the server's own answers differs from run to run.
    var printsDate = false

    /// Returns nil for another command, for an unknown option, and if the output is an error message of curl.
    init?(_ example: ConsoleExample) {
        var words = example.words[...]
        guard words.popFirst() == "curl", !example.output.contains("curl: (") else { return nil }
        printsDate = example.output.contains("\nDate: ")
        while let word = words.popFirst() {
            switch word {
            case "-i": printsHead = true
            case "-N": break
            case "-X": method = words.popFirst()
            case "-H": headers.append(words.popFirst() ?? "")
            case "-d": body = words.popFirst()
            case "--json":
                body = words.popFirst()
                headers += ["Content-Type: application/json", "Accept: application/json"]
            default:
                guard word.hasPrefix("http://127.0.0.1:8080/") else { return nil }
                target = String(word.dropFirst("http://127.0.0.1:8080".count))
            }
        }
    }

    /// Returns the output of the command for the server at `port`.
    func output(port: Int) async throws -> String {
        let client = try await RawClient.connect(port: port)
        let method = method ?? (body == nil ? "GET" : "POST")
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers
        if !headers.contains(where: { $0.hasPrefix("Accept:") }) { lines.append("Accept: */*") }
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        let received = try await client.read(until: "\r\n\r\n").text
        let head = printsDate ? received : received.withoutDateLines
        let content = try await content(after: head.lowercased(), from: client)
        await client.close()
        return ((printsHead ? head.split(separator: "\r\n").joined(separator: "\n") + "\n\n" : "") + content)
            .withoutFinalNewlines
    }

    private func content(after head: String, from client: RawClient) async throws -> String {
        if let length = head.components(between: "content-length: ", and: "\r\n").first.flatMap({ Int($0) }) {
            return try await client.read(count: length).text
        }
        guard head.contains("transfer-encoding: chunked") else { return "" }
        var content: [UInt8] = []
        while true {
            let size = try await client.read(until: "\r\n").text.dropLast()
            guard let count = Int(size, radix: 16) else { return "expected a chunk size, found \(size)" }
            content += try await client.read(count: count + 2).bytes.dropLast(2)
            if count == 0 { return String(decoding: content, as: UTF8.self) }
        }
    }
}

extension String {
    /// The text between each `start` and the next `end`.
    fileprivate func components(between start: String, and end: String) -> [String] {
        splitting(before: start).compactMap { part in
            part.firstRange(of: end).map { String(part[..<$0.lowerBound]) }
        }
    }

    /// The text after each `separator`, up to the next one.
    fileprivate func splitting(before separator: String) -> [Substring] {
        Array(split(separator: separator, omittingEmptySubsequences: false).dropFirst())
    }

    fileprivate var withoutFinalNewlines: String {
        String(self[..<(lastIndex { $0 != "\n" }.map(index(after:)) ?? startIndex)])
    }
}
