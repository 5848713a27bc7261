// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// The failure of a test whose stream ended early, with the earliest break that causes it.
public struct BreakFailure: Error, Sendable, CustomStringConvertible {
    /// The recorded request, such as `POST /v1/chat`; nil if the test fails without a break.
    public let request: String?
    /// The source of the fixture.
    public let source: FixtureSource?
    /// The edit that causes the failure; nil if the test fails without one.
    public let bend: Bend?
    /// The failure.
    public let fault: Fault

    /// The way in which the test failed.
    public enum Fault: Sendable {
        /// The test returned a different value than with the whole stream.
        case different(expected: String, found: String)
        /// An expectation of the test failed.
        case recorded(String)
        /// The test did not end within this time limit.
        case hung(Duration)
        /// The test did not request a stream of events.
        case noStream

        var isHang: Bool { if case .hung = self { true } else { false } }
    }

    init(_ broken: BreakTrial.Break?, _ fault: Fault) {
        request = broken?.stream.request
        source = broken?.stream.source
        bend = broken?.bend
        self.fault = fault
    }

    /// The break, the failure, and how to reproduce it.
    public var description: String {
        var lines: [String] = []
        if let request, let source, let bend {
            let ending = bend.edit == .reset ? "is reset" : "is closed"
            lines.append("The test fails if the connection \(ending) \(bend.place.words).")
            lines += ["", "  \(request) (\(source))", ""]
        }
        switch fault {
        case .recorded(let failure): lines.append("It failed: \(shown(failure))")
        case .hung(let limit): lines.append("It did not end within \(limit).")
        case .noStream:
            lines.append("expected a recorded stream of events, found none; request one in the test")
        case .different(let expected, let found):
            lines += [
                "It took a part of the stream for the whole.", "Expected: \(shown(expected)), or an error",
                "Found:    \(shown(found))",
            ]
        }
        if let bend {
            let edit = bend.edit == .reset ? ".reset" : ".truncate"
            lines += ["", "To reproduce it: .bent(\(bend.place.code), \(edit))"]
        }
        return lines.joined(separator: "\n")
    }
}

extension Bend.Place {
    fileprivate var words: String {
        switch self {
        case .afterEvent(let number): "after event \(number)"
        case .afterByte(let number): "after byte \(number)"
        default: "before the first event"
        }
    }

    fileprivate var code: String {
        switch self {
        case .afterEvent(let number): ".afterEvent(\(number))"
        case .afterByte(let number): ".afterByte(\(number))"
        default: ".start"
        }
    }
}
