// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseText

extension ReplayCatalog {
    /// Returns the message for a miss: the nearest fixtures and stubs, field by field, the commands that record what is
    /// missing, and the code that ignores the differences if all of them look volatile.
    func message(
        for request: HTTPRequest,
        _ report: MissReport,
        _ configuration: ReplayingTransport.Configuration
    ) -> String {
        var text = String(decoding: report.text(tool, suggestsOptions: false), as: UTF8.self)
        while text.last == "\n" { text.removeLast() }
        let commands = [command(recording: request)] + (configuration.remedy.map { [$0] } ?? [])
        text += "\n\nTo record it:\n  \(commands.joined(separator: "\n  "))"
        if let parts = report.nearMisses.volatile { text += "\n\n\(suggestion(ignoring: parts, configuration))" }
        return text
    }

    private func suggestion(
        ignoring parts: VolatileParts,
        _ configuration: ReplayingTransport.Configuration
    ) -> String {
        if let code = rules.matchers.ignoring(parts).code {
            return "\(VolatileParts.condition), ignore them:\n  \(configuration.codeToMatch(code))"
        }
        let changed = [Matcher.query, .body].ignoring(parts).code ?? ""
        return "\(VolatileParts.condition), ignore them: change the matchers of their parts to \(changed)"
    }

    /// Returns the command that records the request into the first cassette.
    private func command(recording request: HTTPRequest) -> String {
        let cassette = fixtures.lazy.map(\.source.file).first { $0.hasSuffix(".cassette.json") }
        let upstream = "\(request.scheme ?? "https")://\(request.authority ?? "HOST")"
        let path = (request.path ?? "/").prefix { $0 != "?" }
        let only = "\(request.method) \(path)"
        let words = ["record", upstream, "--out", cassette ?? "FILE.cassette.json", "--only", only]
        return ToolInvocation().command(words)
    }

    private var tool: ToolInvocation {
        var files: [String] = []
        func add(_ source: FixtureSource) {
            if files.last != source.file, source != FixtureSource(file: "in memory") { files.append(source.file) }
        }
        for fixture in fixtures where files.count <= 3 { add(fixture.source) }
        for entry in stubs?.catalog.entries ?? [] where files.count <= 3 { add(entry.stub.source) }
        return ToolInvocation(paths: files.count <= 3 ? files : [])
    }
}
