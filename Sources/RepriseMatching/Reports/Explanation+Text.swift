// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Explanation {
    /// Returns the explanation as plain text.
    ///
    /// - Parameters:
    ///   - staticFile: The file that answers if no fixture does; nil if there is none.
    ///   - stubs: The stubs; nil if there are none.
    package func text(staticFile: String? = nil, stubs: Stubs? = nil) -> String {
        var lines = [request, ""]
        if let stubs, let answering = stubs.answering, !stubs.isLate {
            lines.append("Answered by the stub \(answering).")
            if let source = answeringSource { lines.append("Without it, \(source) would answer.") }
            append(stubs.nearest, to: &lines)
            return lines.joined(separator: "\n") + "\n"
        }
        appendOutcome(staticFile, stubs, to: &lines)
        append(stubs?.nearest ?? [], to: &lines)
        if !standIns.isEmpty { lines += ["", "Stand-ins:"] + standIns.map { "  \($0)" } }
        for candidate in candidates { append(candidate, to: &lines) }
        if omitted > 0 {
            lines += ["", "… and \(omitted) more \(omitted == 1 ? "fixture" : "fixtures") of other paths"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The fixture that answers if no stub does.
    private var answeringSource: String? {
        switch outcome {
        case .answered(_, let turn), .answeredFromGet(_, let turn):
            turn.fixture.map { index.entries[$0].source.shown }
        case .options, .miss: nil
        }
    }

    private func append(_ stubs: [NearStub], to lines: inout [String]) {
        for stub in stubs { lines += [""] + stub.completeLines }
    }

    private func appendOutcome(_ staticFile: String?, _ stubs: Stubs?, to lines: inout [String]) {
        switch outcome {
        case .answered(let sequence, let turn):
            append(sequence, turn, "", to: &lines)
        case .answeredFromGet(let sequence, let turn):
            append(sequence, turn, ", without its content, as the answer to the next GET", to: &lines)
        case .options(let methods):
            lines.append("Answered with the methods of the path: \(methods.joined(separator: ", ")).")
        case .miss:
            if let staticFile {
                return lines.append("No fixture answers this request, but the static file \(staticFile) does.")
            }
            if let answering = stubs?.answering {
                return lines.append("No fixture answers this request, but the stub \(answering) does.")
            }
            guard stubs == nil else { return lines.append("No fixture or stub answers this request: 404.") }
            lines.append(index.entries.isEmpty ? "There are no fixtures." : "No fixture answers this request: 404.")
        }
    }

    private func append(
        _ sequence: FixtureSequence,
        _ turn: FixtureSequence.Turn,
        _ remark: String,
        to lines: inout [String]
    ) {
        let count = sequence.fixtures.count
        guard let fixture = turn.fixture else {
            let given = count == 1 ? "The one answer was given" : "All \(count) answers were given"
            lines.append("\(given) already: 404.")
            return
        }
        lines.append("Answered by \(index.entries[fixture].source.shown)\(remark).")
        guard count > 1 else { return }
        let after =
            switch index.options.afterLast {
            case .repeat: "the last one, repeated"
            case .miss: "404"
            case .restart: "the first one"
            }
        lines.append("It is answer \(turn.ordinal) of \(count) in a sequence; after the last comes \(after).")
    }

    private func append(_ candidate: Candidate, to lines: inout [String]) {
        let fixture = index.entries[candidate.fixture]
        lines += ["", "\(fixture.pattern.summary) (\(fixture.source.shown))", "  \(text(of: candidate.standing))"]
        for verdict in candidate.verdicts {
            lines.append("  \(verdict.isEqual ? "=" : verdict.isRequired ? "x" : "-") \(verdict.description)")
        }
    }

    private func text(of standing: Standing) -> String {
        switch standing {
        case .inSequence(let place):
            return "answers, as number \(place) of its sequence"
        case .hidden(let other, let reason):
            return "matches, but is hidden behind \(index.entries[other].source.shown): \(text(of: reason))"
        case .different:
            return "does not match"
        }
    }

    private func text(of reason: Reason) -> String {
        switch reason {
        case .recordedFirst: "a recorded exchange takes precedence over a route"
        case .literalFirst: "a route without parameters takes precedence"
        case .moreSpecificFirst: "its literal segment takes precedence over a parameter"
        case .comparedBodyFirst: "a fixture whose body is compared takes precedence"
        case .exactBodyFirst: "its body is compared more strictly"
        case .hostFirst: "it was recorded from the host of the request"
        case .selectionFirst: "its range and conditions are closer to the request's"
        case .headFirst: "a HEAD fixture takes precedence over a GET fixture"
        case .literalPathFirst: "a path without redacted segments takes precedence"
        case .unmaskedFirst: "it has the request's values where this one is redacted"
        case .fileOrder: "its redacted fields also match, and it is earlier"
        case .standIns: "its redacted fields also match, and they fit the values of this request"
        }
    }
}
