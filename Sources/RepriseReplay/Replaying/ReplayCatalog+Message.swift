// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseCassettes
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
        let again = "repeat the last answer:\n  \(configuration.codeToSet("afterLast: .repeat"))"
        let plain = report.text(tool(configuration), suggestsOptions: false, toAnswerAgain: again)
        var text = String(decoding: plain, as: UTF8.self)
        while text.last == "\n" { text.removeLast() }
        let isRepeat = report.nearMisses.exhausted != nil
        let remedy = isRepeat ? configuration.remedyForRepeats : configuration.remedy
        let commands = [command(recording: request)] + (remedy.map { [$0] } ?? [])
        text += "\n\nTo record it:\n  \(commands.joined(separator: "\n  "))"
        if let parts = report.nearMisses.volatile { text += "\n\n\(suggestion(ignoring: parts, configuration))" }
        return text
    }

    private func suggestion(
        ignoring parts: VolatileParts,
        _ configuration: ReplayingTransport.Configuration
    ) -> String {
        if let code = rules.matchers.ignoring(parts).code {
            return "\(VolatileParts.condition), ignore them:\n  \(configuration.codeToSet("matching: \(code)"))"
        }
        let changed = [Matcher.query, .body].ignoring(parts).code ?? ""
        return "\(VolatileParts.condition), ignore them: change the matchers of their parts to \(changed)"
    }

    /// Returns the command that records the request into the first cassette, from the server that the cassette was
    /// recorded from. Of several, it is the one that the request is for.
    private func command(recording request: HTTPRequest) -> String {
        let cassette = fixtures.lazy.map(\.source.file).first { $0.hasSuffix(".cassette.json") }
        let origin = "\(request.scheme ?? "https")://\(request.authority ?? "HOST")"
        let origins = fixtures.lazy.filter { $0.source.file == cassette }.compactMap { $0.recording?.request.origin }
        let upstream = origins.contains(origin) ? origin : origins.first ?? origin
        let path = shown((request.path ?? "/").prefix { $0 != "?" })
        let only = "\(request.method) \(path)"
        let words = ["record", upstream, "--out", cassette ?? "FILE.cassette.json", "--only", only]
        return ToolInvocation().command(words)
    }

    private func tool(_ configuration: ReplayingTransport.Configuration) -> ToolInvocation {
        var files: [String] = []
        func add(_ source: FixtureSource) {
            if files.last != source.file, source != FixtureSource(file: "in memory") { files.append(source.file) }
        }
        for fixture in fixtures where files.count <= 3 { add(fixture.source) }
        for stub in stubs?.stubs ?? [] where files.count <= 3 { add(stub.source) }
        var tool = ToolInvocation(paths: files.count <= 3 ? files : [])
        // The command sees one request, so what a strict replay does after the last answer makes no difference.
        let rules = MatchingRules(configuration.matching, afterLast: configuration.afterLast ?? .repeat)
        tool.options = rules.commandOptions
        return tool
    }
}

extension RecordedRequest {
    /// The scheme and the authority; nil if the URL is only a path.
    fileprivate var origin: String? {
        let parts = URLParts(Array(url.utf8))
        guard let scheme = parts.scheme, let authority = parts.authority else { return nil }
        return "\(String(decoding: scheme, as: UTF8.self))://\(String(decoding: authority, as: UTF8.self))"
    }
}
