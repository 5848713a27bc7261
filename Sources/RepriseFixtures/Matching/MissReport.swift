// SPDX-License-Identifier: Apache-2.0

/// The answer to a request that no fixture answers: what was nearest, and why it was not that.
///
/// ```text
/// No fixture answers GET /users?page=3.
///
/// Nearest:
///
///   GET /users?page=2 (users.cassette.json:12)
///     query.page: expected 2, got 3
/// ```
public struct MissReport: Sendable {
    /// What is wrong, in one sentence.
    public let detail: String
    /// What was nearest.
    public let nearMisses: NearMisses
    let method: [UInt8]
    let target: [UInt8]
    let index: FixtureIndex

    /// The report on a request to `index` that nothing answers, or whose sequence has no answer left.
    public init(
        _ index: FixtureIndex,
        _ head: Span<UInt8>,
        _ parts: RequestParts,
        body: Span<UInt8>
    ) {
        self.index = index
        nearMisses = index.nearMisses(head, parts, body: body)
        method = DisplayText.escaped(head.extracting(parts.method))
        var target = DisplayText.escaped(head.extracting(parts.path), limit: Self.maximumTarget)
        if target.isEmpty { target.append(UInt8(ascii: "/")) }
        if let query = parts.query {
            target.append(UInt8(ascii: "?"))
            DisplayText.append(head.extracting(query), limit: Self.maximumTarget, to: &target)
        }
        self.target = target
        detail = Self.detail(String(decoding: method + [0x20] + target, as: UTF8.self), nearMisses, index)
    }

    /// The report on a request that was taken apart already.
    public init(_ index: FixtureIndex, _ request: OwnedRequest) {
        self.init(index, request.head.span, request.parts(for: index.options), body: request.body.span)
    }

    private static let maximumTarget = 240

    private static func detail(_ summary: String, _ nearMisses: NearMisses, _ index: FixtureIndex) -> String {
        guard let sequence = nearMisses.exhausted else {
            return index.fixtures.isEmpty ? "There are no fixtures." : "No fixture answers \(summary)."
        }
        let count = sequence.fixtures.count
        return count == 1
            ? "The one answer to \(summary) was given already."
            : "All \(count) answers to \(summary) were given already."
    }

    /// The report as plain text (`text/plain; charset=utf-8`).
    public func text() -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(1024)
        text.append(contentsOf: detail.utf8)
        text.append(contentsOf: "\n".utf8)
        if let sequence = nearMisses.exhausted {
            text.append(contentsOf: "\n".utf8)
            for fixture in sequence.fixtures.prefix(8) { appendTitle(of: fixture, to: &text) }
            text.append(contentsOf: "\nTo answer it again: --after-last repeat, or restart\n".utf8)
        }
        if !nearMisses.nearest.isEmpty { text.append(contentsOf: "\nNearest:\n".utf8) }
        for miss in nearMisses.nearest {
            text.append(contentsOf: "\n".utf8)
            appendTitle(of: miss.fixture, to: &text)
            for verdict in miss.verdicts where !verdict.isEqual && verdict.isRequired {
                text.append(contentsOf: "    ".utf8)
                verdict.append(to: &text)
                text.append(contentsOf: "\n".utf8)
            }
        }
        if !index.fixtures.isEmpty { appendHint(to: &text) }
        return text
    }

    private func appendTitle(of fixture: Int, to text: inout [UInt8]) {
        text.append(contentsOf: "  ".utf8)
        text.append(contentsOf: index.fixtures[fixture].pattern.summary.utf8)
        text.append(contentsOf: " (".utf8)
        text.append(contentsOf: index.fixtures[fixture].source.shown.utf8)
        text.append(contentsOf: ")\n".utf8)
    }

    /// Appends what to run next.
    private func appendHint(to text: inout [UInt8]) {
        text.append(contentsOf: "\nFor every candidate: mockserver explain ".utf8)
        text.append(contentsOf: method)
        text.append(contentsOf: " '".utf8)
        for byte in target {
            if byte == UInt8(ascii: "'") {
                text.append(contentsOf: "'\\''".utf8)
            } else {
                text.append(byte)
            }
        }
        text.append(contentsOf: "' PATH…\n".utf8)
    }
}

extension FieldVerdict {
    /// Appends the ``description``.
    func append(to text: inout [UInt8]) {
        text.append(contentsOf: field.utf8)
        text.append(contentsOf: ": ".utf8)
        if !isEqual {
            text.append(contentsOf: "expected ".utf8)
            text.append(contentsOf: expected.utf8)
            text.append(contentsOf: ", got ".utf8)
        }
        text.append(contentsOf: found.utf8)
        if !isEqual, !isRequired { text.append(contentsOf: " (not required)".utf8) }
    }
}

extension Fixture.Source {
    /// The description, fit to be shown.
    var shown: String { DisplayText.string(description.utf8, limit: 400) }
}
