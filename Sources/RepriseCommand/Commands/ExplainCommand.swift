// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RepriseAdmin
import RepriseDocuments
import RepriseFixtures
import RepriseMatching
import RepriseStubAnswers
import RepriseText

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show which fixture or stub would answer a request, and why the others would not.",
        discussion: """
            Without --server, nothing is sent. With it, a running server explains what it would do now, including \
            stubs that were added to it and the states of its scenarios. Exits with 1 if no fixture, stub, or static \
            file would answer.
            """
    )

    @Argument(help: "The method, such as GET.")
    var method: String

    @Argument(help: "The URL, or the path with its query.")
    var url: String

    @Argument(help: ArgumentHelp("Folders and files with fixtures.", valueName: "path"))
    var paths: [String] = []

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("A header line; repeatable. MOCKSERVER_HEADER has one per line.", valueName: "name: value")
    )
    var headers: [String] = []

    @Option(
        name: [.customShort("d"), .customLong("body"), .customLong("data")],
        help: ArgumentHelp("The body, or @ and the file that contains it; @- is standard input.", valueName: "body")
    )
    var body: String?

    @OptionGroup var files: StaticArguments

    @OptionGroup var matching: MatchingArguments

    @OptionGroup var stubs: StubArguments

    @Option(help: ArgumentHelp("Ask this running server instead of reading fixtures.", valueName: "url"))
    var server: String?

    @Flag(help: "With --server, print the explanation as JSON.")
    var json = false

    @OptionGroup var access: AccessArguments

    func run() async throws {
        guard Self.isTarget(url, method) else {
            throw ValidationError(
                "expected a URL, or a path that starts with a slash, found '\(url)'; write '/\(url)'"
            )
        }
        if let server = server ?? (paths.isEmpty ? EnvironmentVariable(of: "--server").text() : nil) {
            return try await ask(server)
        }
        let staticFolder = try files.folder()
        let paths = try FixturePaths.resolved(paths, mayBeEmpty: staticFolder != nil)
        let lines = try headerLines()
        let content = try content()
        let stubOptions = try stubs.resolved()
        let fixtures = try Report.loading { () throws(FixtureProblems) in
            try FixtureLoader.load(paths, stubOptions: stubOptions)
        }
        Report.notes(fixtures.notes)
        let rules = MatchingRules(try matching.matchers(), afterLast: try matching.resolvedAfterLast())
        let index = FixtureIndex(fixtures.fixtures.map(\.asServed), options: rules.options)
        let request = OwnedRequest(method: method, url: url, headers: lines, body: content)
        let explanation = Explanation(index, request)
        let file = explanation.outcome == .miss ? staticFolder?.file(for: request, method: method) : nil
        let isAnswered = explanation.outcome != .miss || file != nil
        let stubs =
            fixtures.stubs.isEmpty
            ? nil : StubCatalog(fixtures.stubs.map(\.rule)).explanation(of: request, url, isAnswered)
        Report.text(explanation.text(staticFile: file, stubs: stubs))
        if !isAnswered, stubs?.answering == nil { throw ExitCode(1) }
    }

    private func ask(_ server: String) async throws {
        guard paths.isEmpty else {
            throw ValidationError(
                "expected --server or folders and files with fixtures, found both; remove one of them"
            )
        }
        var request = LoggedRequest(method: method, url: url)
        let lines = try headerLines()
        request.headers = [NamedValues](grouping: lines.map { (name: $0.name, value: $0.value) }, ignoringCase: true)
        // Without the content as text, which the server does not need and which would take more of its limit.
        guard case .object(var members) = request.json else { return }
        members.append(JSONTree.Member("bodyAsBase64", .string(Base64.text(try content()))))
        let answer = try await access.client(server).send("POST", "/__admin/reprise/explain", .object(members))
        if try json || EnvironmentVariable(of: "--json").isSet() {
            Report.json(answer)
        } else {
            Report.text(answer["text"]?.text ?? "")
        }
        if answer["answeredBy"]?.text == "miss" { throw ExitCode(1) }
    }

    private func content() throws -> [UInt8] {
        guard let body, body.hasPrefix("@") else {
            return Array((body ?? EnvironmentVariable(of: "--body").text() ?? "").utf8)
        }
        let path = body == "@-" ? "/dev/stdin" : String(body.dropFirst())
        guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.readToEnd() ?? Data() else {
            throw Report.failure("-d: expected a file that can be read, found '\(path)'")
        }
        return Array(bytes)
    }

    /// Whether the target is valid for a request with this method (RFC 9112 section 3.2).
    private static func isTarget(_ url: String, _ method: String) -> Bool {
        url.hasPrefix("/") || url.contains("://") || method == "CONNECT" || (method == "OPTIONS" && url == "*")
    }

    private func headerLines() throws -> [HeaderLine] {
        let (texts, place) = EnvironmentVariable(of: "--header").list(unless: headers, "-H", separatedBy: \.isNewline)
        return try texts.map { text in
            guard let line = HeaderLine(text) else {
                throw ValidationError("\(place): expected 'Name: value', found '\(text)'")
            }
            return line
        }
    }
}

extension StubCatalog {
    /// Explains how the stubs answer a request if it is the first one.
    fileprivate func explanation(of request: OwnedRequest, _ url: String, _ isAnswered: Bool) -> Explanation.Stubs {
        let scheme = url.lowercased().hasPrefix("https://") ? "https" : "http"
        return StubExplanation(self, request, scheme: scheme).stubs(isAnswered: isAnswered)
    }
}
