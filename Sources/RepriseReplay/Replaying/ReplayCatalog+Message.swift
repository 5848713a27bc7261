// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseMatching
internal import RepriseText

extension ReplayCatalog {
    /// Returns the message for a miss: the nearest fixture, field by field, and the commands that record what is
    /// missing.
    func message(for request: HTTPRequest, _ report: MissReport, remedy: String?) -> String {
        var text = String(decoding: report.text(tool), as: UTF8.self)
        while text.last == "\n" { text.removeLast() }
        let commands = [command(recording: request)] + (remedy.map { [$0] } ?? [])
        return "\(text)\n\nTo record it:\n  \(commands.joined(separator: "\n  "))"
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
        for file in fixtures.lazy.map(\.source.file) where files.last != file { files.append(file) }
        return ToolInvocation(paths: files.count <= 3 ? files : [])
    }
}
