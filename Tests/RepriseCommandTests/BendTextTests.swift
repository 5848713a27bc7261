// SPDX-License-Identifier: Apache-2.0

import RepriseServer
import Testing

@testable import RepriseCommand

@Suite struct BendTextTests {
    @Test(
        arguments: [
            ("POST /v1/chat after event 3: reset", Bend(.afterEvent(3), .reset, of: "POST /v1/chat")),
            ("after event 5: truncate", Bend(.afterEvent(5), .truncate)),
            ("#3 after byte 100: stall", Bend(.afterByte(100), .stall, of: "#3")),
            ("after 500ms: reset", Bend(.afterTime(.milliseconds(500)), .reset)),
            ("GET /a event 2: drop", Bend(.event(2), .drop, of: "GET /a")),
            ("line 2: repeat 3", Bend(.line(2), .repeat(3))),
            ("after event 2: delay 2s", Bend(.afterEvent(2), .delay(.seconds(2)))), (": rechunk 7", Bend(.rechunk(7))),
            ("GET /a:b : slow 100", Bend(.slow(bytesPerSecond: 100), of: "GET /a:b")),
            ("POST /v1/chat: status 529", Bend(.status(529), of: "POST /v1/chat")),
            (": header Retry-After: 2", Bend(.header("Retry-After", "2"))),
        ] as [(String, Bend)]
    )
    func parsesEdits(text: String, bend: Bend) throws {
        #expect(try BendText(text).bend == bend)
    }

    @Test(
        arguments: [
            ("", 1, "expected a request, a place such as 'after event 3', or ':', found nothing"),
            ("after event x: reset", 13, "expected a number, found 'x'"),
            ("after event 3 reset", 15, "expected ':' and an edit such as reset, found 'reset'"),
            ("after event 3: rest", 16, "expected reset, truncate, stall"),
            ("after 5: reset", 7, "expected event, line"),
            ("event 1: delay 2", 16, "expected a time such as 2s, found '2'"),
            ("event 1: drop all", 15, "expected nothing more, found 'all'"),
            (": header x", 10, "expected a header such as 'Retry-After: 2', found 'x'"),
            (": rechunk 99999999999999999999", 11, "expected a number of bytes"),
        ] as [(String, Int, String)]
    )
    func rejectsInvalidEdits(text: String, column: Int, message: String) {
        let problem = #expect(throws: BendText.Problem.self) { try BendText(text) }
        #expect(problem?.column == column)
        #expect(problem?.message.hasPrefix(message) == true)
    }
}
