// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RepriseTesting

/// What the session learns, and when.
@Suite struct SessionExchangeStateTests {
    private var state = SessionExchangeState.idle

    private func event(_ text: Character) -> SessionEvent {
        switch text {
        case "!": .failure(URLError(.timedOut))
        case ".": .end
        default: .content(Data("\(text)".utf8))
        }
    }

    private func text(_ event: SessionEvent) -> String {
        switch event {
        case .head: "head"
        case .content(let data): data.text
        case .end: "."
        case .failure: "!"
        }
    }

    /// Runs a script: `>` starts, `|` holds, `x` cancels, `.` is the end, `!` a failure, and everything else content.
    ///
    /// - Returns: The events that the session is told, and `>` for each request that is sent.
    private mutating func run(_ script: String) -> String {
        script.map { step -> String in
            switch step {
            case ">":
                switch state.start() {
                case .send: return ">"
                case .tell(let events): return events.map(text).joined()
                }
            case "|": state.hold()
            case "x": state.end()
            default: return state.receive(event(step)).map(text).joined()
            }
            return ""
        }.joined()
    }

    @Test(arguments: [
        // The request is sent once.
        (">ab.", ">ab."), (">>a.", ">a."), (">a|>b.", ">ab."), (">.>", ">."),
        // While the task is suspended, events wait, and keep their order.
        (">a|bc.", ">a"), (">a|bc.>", ">abc."), (">|a|b>c|d>.", ">abcd."), (">|!>", ">!"),
        // Nothing follows the end or a cancellation.
        (">a.b", ">a."), (">!.", ">!"), (">axb.", ">a"), (">|axb>", ">"), ("x>", ""), (">|a.b>c|>", ">a."),
        // Nothing happens before the start.
        ("a|b>c.", ">c."),
    ])
    mutating func tellsEvents(script: String, told: String) {
        #expect(run(script) == told)
    }
}
