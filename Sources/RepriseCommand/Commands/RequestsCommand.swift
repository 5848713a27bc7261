// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RepriseDocuments
import RepriseIO
import RepriseText

struct RequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List the requests that a running server received, oldest first."
    )

    @Flag(help: "List only the requests that nothing answered.")
    var unmatched = false

    @Option(help: ArgumentHelp("List only this many of the newest requests.", valueName: "number"))
    var limit: String?

    @Flag(help: "Print the list as JSON.")
    var json = false

    @OptionGroup var server: ServerArguments

    func run() async throws {
        var query: [String] = []
        if try unmatched || EnvironmentVariable(of: "--unmatched").isSet() { query.append("unmatched=true") }
        if let limit = try OptionKind.requestLimit.value(limit, "--limit") { query.append("limit=\(limit)") }
        let path = "/requests" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        // An older server says in its answer at WireMock's path which fixture answered.
        let answer = try await server.client().send("GET", "/__admin/reprise\(path)", orElse: "/__admin\(path)")
        if try json || EnvironmentVariable(of: "--json").isSet() { return Report.json(answer) }
        guard case .array(let requests)? = answer["requests"] else {
            throw Report.failure("expected a list of requests, found another answer; check the URL")
        }
        let hasColors = Terminal(isTerminal: StandardStream.output.isTerminal).hasColors
        for request in requests.reversed() { Report.colored(RequestLine(request).text(isColored: hasColors)) }
        if requests.isEmpty { Report.message(unmatched ? "no unmatched requests" : "no requests yet") }
    }
}

/// A line of the list of requests.
struct RequestLine {
    let time: String
    let status: Int
    let request: String
    let answeredBy: String

    /// - Parameter event: A serve event, as the server sends it.
    init(_ event: JSONTree) {
        let request = event["request"]
        // 2026-01-31T12:00:00.123Z
        time =
            (request?["loggedDateString"]?.text).map { DisplayText.escaped(String($0.drop { $0 != "T" }.dropFirst())) }
            ?? ""
        status = event["response"]?["status"]?.integer ?? 0
        var url = request?["url"]?.text
        if case .bool(true)? = request?["browserProxyRequest"] { url = request?["absoluteUrl"]?.text ?? url }
        let words = [request?["method"]?.text, url].compactMap(\.self)
        self.request = DisplayText.escaped(words.joined(separator: " "), limit: 200)
        if case .bool(false)? = event["wasMatched"] {
            answeredBy = "no match"
        } else {
            let own = event["reprise"]?["fixture"]?.text
            let stub = event["stubMapping"]?["name"]?.text ?? event["stubMapping"]?["id"]?.text
            answeredBy = DisplayText.escaped(own ?? stub ?? "", limit: 200)
        }
    }

    func text(isColored: Bool) -> String {
        let status = status == 0 ? "---" : String(status)
        let shown = isColored ? "\u{1B}[\(color)m\(status)\u{1B}[0m" : status
        return [time, shown, request, answeredBy].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private var color: Int {
        switch status {
        case 200..<400: 32
        case 400..<500: 33
        default: 31
        }
    }
}
