// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// The answer to a miss: the nearest fixtures, and the reasons that they did not match.
///
/// ```text
/// No fixture answers GET /users?page=3.
///
/// Nearest:
///
///   GET /users?page=2 (users.cassette.json:12)
///     query.page: expected 2, found 3
///
/// To see every candidate, run: swift run mockserver explain GET '/users?page=3' Fixtures/
/// ```
package struct MissReport: Sendable {
    /// The nearest fixtures.
    package let nearMisses: NearMisses
    /// The nearest stubs; `nil` if there are no stubs at all.
    package let stubs: [NearStub]?
    /// The stand-ins of the sequence whose answers were all given.
    package let standIns: [StandInState]
    let method: [UInt8]
    private let path: [UInt8]
    private let query: [UInt8]?
    private let words: RequestWords
    let index: FixtureIndex

    private static let maximumTarget = 240

    /// A part of a request that would be shown in a report.
    package enum Part: Sendable {
        /// The path and the query.
        case target([UInt8])
        /// The value of a field that differs.
        case value(FieldVerdict.Name, [UInt8])
        /// A header line.
        case line(HeaderLine)
        /// The content of a request with these header lines.
        case content([UInt8], [HeaderLine])
    }

    /// Creates the report on a request that no fixture of `index` answers, or whose sequence is exhausted.
    ///
    /// - Parameters:
    ///   - index: The fixtures.
    ///   - request: The request.
    ///   - isDecoded: Whether the content is without the content coding that the request names.
    ///   - play: The positions of the sequences; `nil` if they are unknown.
    ///   - stubs: The nearest stubs, without secrets; `nil` if there are no stubs at all.
    ///   - hide: Returns the text to show for a part, or `nil` to hide a field's value. Without this function,
    ///     everything is shown.
    package init(
        _ index: FixtureIndex,
        _ request: RequestView,
        isDecoded: Bool = false,
        play: SequenceState? = nil,
        stubs: [NearStub]? = nil,
        hiding hide: ((Part) -> [UInt8]?)? = nil
    ) {
        self.index = index
        method = [UInt8](bytes: request.method)
        var nearMisses = index.nearMisses(request)
        // What a recording hides of a body is not shown of the request's.
        let isRedacted = nearMisses.nearest.contains { index.entries[$0.fixture].pattern.masks?.body.isEmpty == false }
        words = RequestWords(request, showsContent: !isRedacted, isDecoded: isDecoded, hiding: hide)
        standIns = nearMisses.exhausted.flatMap { play?.standIns(of: $0.id, for: request) } ?? []
        let path = Self.shownPath(request)
        let query = request.ranges.query.map { [UInt8](bytes: request.head.extracting($0)) }
        if let hide {
            nearMisses.hide(hide)
            let shown = hide(.target(query.map { path + [UInt8(ascii: "?")] + $0 } ?? path)) ?? []
            let mark = query.flatMap { _ in shown.firstIndex(of: UInt8(ascii: "?")) } ?? shown.endIndex
            self.path = Array(shown[..<mark])
            self.query = query.map { _ in Array(shown[mark...].dropFirst()) }
        } else {
            (self.path, self.query) = (path, query)
        }
        self.nearMisses = nearMisses
        self.stubs = nearMisses.nearest.isEmpty ? stubs : stubs?.filter(\.hasSimilarTarget)
    }

    /// Returns the path as it is shown: `/` for an empty path, a URL for a request through a proxy, and the host and
    /// port for CONNECT (RFC 9112 section 3.2.3).
    private static func shownPath(_ request: RequestView) -> [UInt8] {
        if let scheme = request.ranges.scheme {
            let origin = [UInt8](bytes: request.head.extracting(scheme)) + Array("://".utf8)
            return origin + [UInt8](bytes: request.authority) + [UInt8](bytes: request.path)
        }
        guard request.path.isEmpty else { return [UInt8](bytes: request.path) }
        let isConnect = [UInt8](bytes: request.method).elementsEqual("CONNECT".utf8)
        return isConnect && !request.authority.isEmpty ? [UInt8](bytes: request.authority) : [UInt8(ascii: "/")]
    }

    /// Creates the report on a request that owns its bytes.
    package init(
        _ index: FixtureIndex,
        _ request: OwnedRequest,
        isDecoded: Bool = false,
        play: SequenceState? = nil,
        stubs: [NearStub]? = nil,
        hiding hide: ((Part) -> [UInt8]?)? = nil
    ) {
        self.init(index, request.view, isDecoded: isDecoded, play: play, stubs: stubs, hiding: hide)
    }

    /// A one-sentence description of the problem.
    package var detail: String { ReportWriter.text { appendDetail(to: &$0) } }

    /// Returns the report as plain text (`text/plain; charset=utf-8`).
    ///
    /// - Parameters:
    ///   - tool: How the reader runs the command-line tool.
    ///   - suggestsOptions: Whether to suggest options of the mock server.
    ///   - again: What to do if a request should be answered more often than it was recorded.
    package func text(
        _ tool: ToolInvocation = ToolInvocation(),
        suggestsOptions: Bool = true,
        toAnswerAgain again: String = "set --after-last (afterLast in code) to repeat or restart."
    ) -> [UInt8] {
        var text = ReportWriter(capacity: 1024)
        appendDetail(to: &text)
        text.append("\n")
        if let sequence = nearMisses.exhausted {
            text.append("\n")
            for fixture in sequence.fixtures.prefix(8) { appendTitle(of: fixture, to: &text) }
            if !standIns.isEmpty { text.append("\nStand-ins:\n\n") }
            for standIn in standIns { text.append("  \(standIn)\n") }
            text.append("\nTo answer it again, \(again)\n")
        }
        if !nearMisses.nearest.isEmpty { text.append("\nNearest:\n") }
        for miss in nearMisses.nearest {
            text.append("\n")
            appendTitle(of: miss.fixture, to: &text)
            for verdict in miss.verdicts where !verdict.isEqual && verdict.isRequired {
                text.append("    ")
                text.append(verdict)
                text.append("\n")
            }
        }
        appendStubs(to: &text)
        if suggestsOptions, let suggestion { text.append("\n\(suggestion)\n") }
        if !index.entries.isEmpty || stubs != nil { appendHint(tool, to: &text) }
        return text.bytes
    }

    /// A sentence with the options of the mock server that ignore the only differences, if they look volatile.
    var suggestion: String? {
        nearMisses.volatile.map { "\(VolatileParts.condition), ignore them: \($0.options)" }
    }

    func appendDetail(to text: inout ReportWriter) {
        if let sequence = nearMisses.exhausted {
            let count = sequence.fixtures.count
            text.append(count == 1 ? "The one answer to " : "All \(count) answers to ")
            appendRequest(to: &text)
            text.append(count == 1 ? " was given already." : " were given already.")
        } else if index.entries.isEmpty, stubs == nil {
            text.append("There are no fixtures.")
        } else {
            let both = stubs?.isEmpty ?? true ? "No fixture answers " : "No fixture or stub answers "
            text.append(index.entries.isEmpty ? "No stub answers " : both)
            appendRequest(to: &text)
            text.append(".")
        }
    }

    private func appendRequest(to text: inout ReportWriter) {
        text.append(value: method[...])
        text.append(" ")
        appendTarget(to: &text)
    }

    func appendTarget(to text: inout ReportWriter) {
        text.append(value: path[...], limit: Self.maximumTarget)
        guard let query else { return }
        text.append("?")
        text.append(value: query[...], limit: Self.maximumTarget)
    }

    private func appendStubs(to text: inout ReportWriter) {
        guard let stubs, !stubs.isEmpty else { return }
        text.append("\nNearest stubs:\n")
        for stub in stubs { text.append("\n" + stub.lines.map { "  \($0)\n" }.joined()) }
    }

    private func appendTitle(of fixture: Int, to text: inout ReportWriter) {
        text.append("  ")
        text.append(index.entries[fixture].pattern)
        text.append(" (")
        text.append(index.entries[fixture].source)
        text.append(")\n")
    }

    /// Appends the command to run next, unless no command can repeat the request.
    private func appendHint(_ tool: ToolInvocation, to text: inout ReportWriter) {
        let target = query.map { path + [UInt8(ascii: "?")] + $0 } ?? path
        // Only a running server knows which answers were given, the states of stubs, and matchers without an option.
        let isStateful = nearMisses.exhausted != nil || stubs?.isEmpty == false || index.options.fields != .all
        if let hint = words.hint(tool, method, target, isStateful: isStateful) { text.append("\n\(hint)\n") }
    }
}

extension NearMisses {
    /// Replaces the parts of the request that must not be shown.
    fileprivate mutating func hide(_ hide: (MissReport.Part) -> [UInt8]?) {
        for miss in nearest.indices {
            for verdict in nearest[miss].verdicts.indices { nearest[miss].verdicts[verdict].hide(hide) }
        }
    }
}

extension FixtureSource {
    /// The description, for display.
    var shown: String { ReportWriter.text { $0.append(self) } }
}
