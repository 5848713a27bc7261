// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseIO
import RepriseTestSupport
import Testing

@testable import RepriseServer

@Suite struct DateLineTests {
    @Test func readsClockOnceASecond() {
        var readings = 0
        let date = DateLine {
            defer { readings += 1 }
            return 784_111_777.25 + Double(readings) * 0.75
        }
        func line(_ milliseconds: UInt64) -> String {
            String(decoding: date.line(at: MonotonicTime(nanoseconds: milliseconds * 1_000_000)), as: UTF8.self)
        }
        #expect(line(5000) == "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
        #expect(line(5749) == "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
        #expect(readings == 1)
        #expect(line(5750) == "Date: Sun, 06 Nov 1994 08:49:38 GMT\r\n")
        #expect(readings == 2)
    }

    /// The server's own answers have a Date line, and recorded answers do not.
    @Test func ownAnswersHaveDateLine() async throws {
        let recorded = Fixture.recorded("https://api.example.com/hello", response: .text("hi"))
        var route = Fixture.recorded("https://api.example.com/route", response: .text("hi"))
        route.isRecorded = false
        var dated = Fixture.recorded("https://api.example.com/dated", response: .text("hi", headers: ["Date: then"]))
        dated.isRecorded = false
        try await withServer([recorded, route, dated]) { server in
            func answer(_ request: String) async throws -> (text: String, dates: Int) {
                let client = try await RawClient.connect(port: server.port)
                try await client.send(request)
                let text = try await client.readToEnd().text
                return (text, text.components(separatedBy: "\r\nDate: ").count - 1)
            }
            func get(_ target: String, _ line: String = "Connection: close") async throws -> Int {
                try await answer("GET \(target) HTTP/1.1\r\nHost: x\r\n\(line)\r\n\r\n").dates
            }
            #expect(try await get("/hello") == 0)
            #expect(try await get("/route") == 1)
            #expect(try await get("/missing") == 1)
            #expect(try await answer("GET /route HTTP/1.1\r\n\r\n").dates == 1)
            let own = try await answer("GET /dated HTTP/1.0\r\n\r\n").text
            #expect(own == "HTTP/1.1 200 OK\r\nDate: then\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
            let client = try await RawClient.connect(port: server.port)
            try await client.send("GET /route HTTP/1.1\r\nHost: x\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
            let two = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
            #expect(try await client.read(count: 2 * 40 + 37).text.withoutDateLines == two + two)
        }
    }
}
