// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// The README, its picture, and the articles about the server show the output of the commands.
@Suite struct DocumentedCommandsTests {
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let articles = "Sources/RepriseServer/RepriseServer.docc/"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: repository.appending(path: path), encoding: .utf8)
    }

    @Test(arguments: [
        ("README.md", 7), (articles + "ServeFixtures.md", 5), (articles + "Recording.md", 2),
        (articles + "BrokenStreams.md", 2), (articles + "Matching.md", 1), (articles + "CommandLine.md", 3),
    ])
    func commandsPrintDocumentedOutput(document: String, count: Int) async throws {
        #expect(try await DocumentedSession(document, in: Self.repository).run() == count)
    }

    @Test func firstReadmeCommandServesFixtures() async throws {
        #expect(try Self.text("README.md").contains(" && swift run mockserver Fixtures/\n"))
        let server = try MockServerProcess(["Fixtures/", "--port", "0", "--quiet"], in: Self.repository)
        let port = try await server.port()
        server.signal(SIGTERM)
        let line = "mockserver listening on http://127.0.0.1:\(port) (36 fixtures and 7 stubs from Fixtures/)\n"
        #expect(try await server.result().output == line)
    }

    /// `.github/terminal` draws the picture, with fixed ports and curl. This test sends its requests to port 8080.
    @Test func pictureShowsServerAnswers() async throws {
        let lines = try Self.text(".github/terminal.svg").matches(of: /<text class="([a-z]+)"[^>]*>([^<]*)<\/text>/)
            .filter { $0.1 != "comment" }.map { match in
                String(match.2).replacing("&quot;", with: "\"").replacing("&#x27;", with: "'")
                    .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
            }
        let examples = ConsoleExample.all(in: "```console\n\(lines.joined(separator: "\n"))\n```\n")
        let server = try MockServerProcess(["Fixtures/", "--port", "0", "--quiet"], in: Self.repository)
        let port = try await server.port()
        var compared = 0
        for example in examples {
            guard let command = CurlCommand(example) else { continue }
            let answer = try await command.output(port: port).split(separator: "\n")
            let shown = example.output.split(separator: "\n").filter { $0 != "…" }
            #expect(answer.starts(with: shown), "\(example)")
            compared += 1
        }
        #expect(compared == 2, "of \(examples.count) examples")
        server.signal(SIGTERM)
        #expect(try await server.result().status == 0)
    }

    private static func options(_ text: String) -> Set<String> {
        Set(text.matches(of: /--[a-z][a-z-]*/).map { String($0.0) })
    }

    /// The article about options lists every option of `--help` and no others.
    @Test func articleListsEveryOption() async throws {
        var inHelp: Set<String> = []
        for command in ["serve", "run", "record", "check", "explain", "routes", "health", "stop", "reset", "requests"] {
            inHelp.formUnion(Self.options(try await MockServerProcess.run("help", command).output))
        }
        let subcommands = [
            ("cassette", "redact"), ("cassette", "recover"), ("ca", "install"), ("ca", "uninstall"), ("ca", "env"),
        ]
        for (command, subcommand) in subcommands {
            inHelp.formUnion(Self.options(try await MockServerProcess.run("help", command, subcommand).output))
        }
        let inArticle = Self.options(try Self.text(Self.articles + "CommandLine.md"))
        #expect(inArticle == inHelp.subtracting(["--help"]).union(["--version", "--generate-completion-script"]))
    }
}
