// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// The console blocks of a document, run one after the other in a folder of their own.
///
/// `mockserver`, or `swift run mockserver`, is the built executable, on a free port instead of 8080. A server runs
/// until the document starts the next one. `https://staging.example.com` is a server with the repository's fixtures.
/// Output that ends in `…` is compared up to the ellipsis.
final class DocumentedSession {
    private static let staging = "https://staging.example.com"

    private let document: String
    private let folder: URL
    private let repository: URL
    private var server: MockServerProcess?
    private var port = 0
    private var upstream: (server: MockServerProcess, url: String)?

    init(_ document: String, in repository: URL) throws {
        self.document = document
        self.repository = repository
        folder = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let fixtures = repository.appending(path: "Fixtures")
        try FileManager.default.copyItem(at: fixtures, to: folder.appending(path: "Fixtures"))
    }

    /// Runs all examples of the document.
    ///
    /// - Returns: The number of examples.
    func run() async throws -> Int {
        let text = try String(contentsOf: repository.appending(path: document), encoding: .utf8)
        try saveFiles(of: text)
        let examples = ConsoleExample.all(in: text)
        for example in examples { try await run(example) }
        try await stopServer()
        upstream?.server.signal(SIGTERM)
        _ = try await upstream?.server.result()
        try FileManager.default.removeItem(at: folder)
        return examples.count
    }

    /// Writes the blocks that the document says to save.
    private func saveFiles(of text: String) throws {
        let block = /Save this as `([^`]+)`:\n\n```json\n(.*?)```/.dotMatchesNewlines()
        for match in text.matches(of: block) {
            let file = folder.appending(path: String(match.1))
            let parent = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try Data(match.2.utf8).write(to: file)
        }
    }

    private func run(_ example: ConsoleExample) async throws {
        var words = example.words
        if words.last == "&" { words.removeLast() }
        if words.starts(with: ["swift", "run"]) { words.removeFirst(2) }
        var environment: [String: String] = [:]
        while let word = words.first, word.hasPrefix("MOCKSERVER_"), let equals = word.firstIndex(of: "=") {
            environment[String(word[..<equals])] = String(word[word.index(after: equals)...])
            words.removeFirst()
        }
        switch words.first {
        case "mockserver" where ["check", "explain", "routes", "help"].contains(words.dropFirst().first):
            let result = try await MockServerProcess(Array(words.dropFirst()), in: folder).result()
            #expect(result.output == example.output + "\n", "\(document): \(example)")
        case "mockserver" where words.dropFirst().first == "run":
            let result = try await MockServerProcess(Array(words.dropFirst()), in: folder).result()
            #expect(result.output + result.errors == example.output + "\n", "\(document): \(example)")
        case "mockserver": try await serve(Array(words.dropFirst()), environment, example)
        case "mkdir": try makeRouteFile(example)
        case "curl": try await sendRequest(example)
        case "kill": try await stopServer()
        default: Issue.record("\(document): expected a command that this test can run, found \(example)")
        }
    }

    // MARK: Commands

    private func serve(_ words: [String], _ environment: [String: String], _ example: ConsoleExample) async throws {
        try await stopServer()
        var words = words
        if words.contains(Self.staging) {
            let url = try await startUpstream()
            words = words.map { $0 == Self.staging ? url : $0 }
        }
        if !words.contains("--port"), environment["MOCKSERVER_PORT"] == nil { words += ["--port", "0"] }
        let server = try MockServerProcess(words, environment: environment, in: folder)
        self.server = server
        port = try await server.port()
        guard !example.output.isEmpty else { return }
        let (output, log) = Self.streams(of: example.output)
        for line in log {
            let fields = line.split(separator: " ")
            _ = try await get(String(fields[2]), fields[1])
        }
        guard output.contains("^C") else {
            let isWhole = !output.hasSuffix("…")
            let shown = output.split(separator: "\n").filter { $0 != "…" }.map { $0 + "\n" }
            let printed = generalized(try await server.output(lines: shown.count))
            let isAsShown = isWhole ? printed == shown.joined() : printed.hasPrefix(shown.joined())
            #expect(isAsShown, "\(document): \(example), which printed \(printed)")
            return
        }
        if log.isEmpty { _ = try await get("/v1/books?page=1&genre=travel", "GET") }
        server.signal(SIGINT)
        let result = try await server.result()
        self.server = nil
        #expect(generalized(result.output) == output.replacing("^C", with: "") + "\n", "\(document): \(example)")
        guard !log.isEmpty else { return }
        // Examples leave out notes about what else a recorder does.
        let lines = result.errors.split(separator: "\n").filter { !$0.hasPrefix("note: ") }
            .map { generalized(String($0)) }
        #expect(lines == log.map { generalized(String($0)) }, "\(document): \(example)")
    }

    private func makeRouteFile(_ example: ConsoleExample) throws {
        let form = try #require(
            example.command.wholeMatch(of: /mkdir -p (\S+) && echo '([^']*)' > (\S+)/),
            "\(document): expected mkdir and echo, found \(example)"
        )
        let directory = folder.appending(path: String(form.1))
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data("\(form.2)\n".utf8).write(to: folder.appending(path: String(form.3)))
    }

    private func sendRequest(_ example: ConsoleExample) async throws {
        if server == nil { try await serve(["Fixtures/", "--quiet"], [:], ConsoleExample(command: "", output: "")) }
        if example.output.hasSuffix("curl: (56) Recv failure: Connection reset by peer") {
            return try await expectReset(example)
        }
        let command = try #require(CurlCommand(example), "\(document): expected a simple curl, found \(example)")
        let output = try await command.output(port: port)
        if example.output.hasSuffix("…") {
            #expect(output.hasPrefix(example.output.dropLast()), "\(document): \(example)")
        } else {
            #expect(output == example.output, "\(document): \(example)")
        }
    }

    private func expectReset(_ example: ConsoleExample) async throws {
        let path = try #require(example.words.last).replacing("http://127.0.0.1:8080", with: "")
        let client = try await RawClient.connect(port: port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        let received = try await client.readToEnd().text
        #expect(client.ending == .reset, "\(document): \(example)")
        for line in example.output.split(separator: "\n").dropLast() {
            #expect(received.contains(line), "\(document): \(example)")
        }
    }

    // MARK: Servers

    private func startUpstream() async throws -> String {
        if let upstream { return upstream.url }
        let server = try MockServerProcess(["Fixtures/", "--port", "0", "--quiet"], in: folder)
        let url = "http://127.0.0.1:\(try await server.port())"
        upstream = (server, url)
        return url
    }

    private func stopServer() async throws {
        server?.signal(SIGTERM)
        _ = try await server?.result()
        server = nil
    }

    private func get(_ target: String, _ method: Substring) async throws -> String {
        let client = try await RawClient.connect(port: port)
        try await client.send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return try await client.readToEnd().text
    }

    /// The documented output of a server, divided into standard output and the request log.
    private static func streams(of output: String) -> (output: String, log: [Substring]) {
        let lines = output.split(separator: "\n")
        let log = lines.filter { $0.prefixMatch(of: #/[0-9]{3} [A-Z]+ /#) != nil }
        return (lines.filter { !log.contains($0) }.joined(separator: "\n"), log)
    }

    /// The output of a server, with the addresses and times that the documents use.
    private func generalized(_ text: String) -> String {
        var text = text.replacing("127.0.0.1:\(port)", with: "127.0.0.1:8080")
        if let upstream { text = text.replacing(upstream.url, with: Self.staging) }
        return text.replacing(/[0-9.]+ ms/, with: "ms")
    }
}
