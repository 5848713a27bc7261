// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseAnswers
@testable import RepriseText

@Suite struct RequestConditionsTests {
    private func selection(_ fields: [String], count: Int = 10, tag: String? = "\"a\"") -> RequestConditions.Selection?
    {
        let lines = fields.compactMap { HeaderLine($0) }
        let conditions = RequestConditions(method: "GET") { name in
            let values = lines.lines(named: name).map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        return conditions?.selection(of: count, tag: tag.flatMap { EntityTag($0) })
    }

    @Test(
        arguments: [
            ("bytes=0-0", .part(0..<1)), ("bytes=0-9", .part(0..<10)), ("bytes=3-", .part(3..<10)),
            ("bytes=3-99", .part(3..<10)), ("bytes=-3", .part(7..<10)), ("bytes=-99", .part(0..<10)),
            ("BYTES=2-4", .part(2..<5)), ("bytes= 2-4 ,", .part(2..<5)), ("bytes=,,2-4", .part(2..<5)),
            ("bytes=9-", .part(9..<10)), ("bytes=10-", .unsatisfiable), ("bytes=10-20", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=5-99999999999999999999", .part(5..<10)), ("bytes=-99999999999999999999", .part(0..<10)),
            ("bytes=4-2", .whole), ("bytes=0-1,4-5", .whole), ("bytes=", .whole), ("bytes=-", .whole),
            ("bytes", .whole),
            ("bytes=a-b", .whole), ("bytes=1 - 2", .whole), ("bytes =1-2", .whole), ("bytes=1--2", .whole),
            ("bytes=+1-2", .whole), ("items=0-1", .whole), ("bytes=0-1, bytes=2-3", .whole), ("", .whole),
        ] as [(String, RequestConditions.Selection)]
    )
    func selectsRange(value: String, expected: RequestConditions.Selection) {
        #expect(selection(["Range: \(value)"]) == expected)
    }

    @Test(
        arguments: [
            ("bytes=0-", .unsatisfiable), ("bytes=0-0", .unsatisfiable), ("bytes=-1", .whole),
            ("bytes=-0", .unsatisfiable),
        ] as [(String, RequestConditions.Selection)]
    )
    func selectsRangeOfEmptyContent(value: String, expected: RequestConditions.Selection) {
        #expect(selection(["Range: \(value)"], count: 0) == expected)
    }

    @Test(
        arguments: [
            (["If-None-Match: \"a\""], .notModified), (["If-None-Match: W/\"a\""], .notModified),
            (["If-None-Match: \"b\", \"a\""], .notModified),
            (["If-None-Match: \"b\"", "if-none-match: \"a\""], .notModified),
            (["If-None-Match: *"], .notModified), (["If-None-Match: \"b\""], .whole), (["If-None-Match: a"], .whole),
            (["If-None-Match: b, \"a\""], .notModified), (["If-None-Match: W/b,,\"c\",\"a\""], .notModified),
            (["If-None-Match: b, \"c\", a"], .whole), (["If-Match: b, \"a\""], .whole),
            (["If-None-Match: \"b,\",\"a\""], .notModified), (["If-None-Match: \"a"], .whole),
            (["If-None-Match: \"A\""], .whole), (["If-None-Match: \"a\"", "Range: bytes=0-1"], .notModified),
            (["If-None-Match: \"b\"", "Range: bytes=0-1"], .part(0..<2)),
            (["If-Match: \"a\""], .whole), (["If-Match: *"], .whole), (["If-Match: \"b\""], .preconditionFailed),
            (["If-Match: W/\"a\""], .preconditionFailed),
            (["If-Match: \"b\", \"a\"", "Range: bytes=0-1"], .part(0..<2)),
            (["If-Match: \"b\"", "If-None-Match: \"a\""], .preconditionFailed),
            (["If-Range: \"a\"", "Range: bytes=0-1"], .part(0..<2)), (["If-Range: \"b\"", "Range: bytes=0-1"], .whole),
            (["If-Range: W/\"a\"", "Range: bytes=0-1"], .whole), (["If-Range: \"b\"", "Range: bytes=99-"], .whole),
            (["If-Range: Sun, 06 Nov 1994 08:49:37 GMT", "Range: bytes=0-1"], .whole),
        ] as [([String], RequestConditions.Selection)]
    )
    func comparesEntityTags(fields: [String], expected: RequestConditions.Selection) {
        #expect(selection(fields) == expected)
    }

    @Test func neverMatchesWeakOrMissingTagStrongly() {
        #expect(selection(["If-Range: W/\"a\"", "Range: bytes=0-1"], tag: "W/\"a\"") == .whole)
        #expect(selection(["If-Match: W/\"a\""], tag: "W/\"a\"") == .preconditionFailed)
        #expect(selection(["If-None-Match: \"a\""], tag: "W/\"a\"") == .notModified)
        #expect(selection(["If-None-Match: \"a\""], tag: nil) == .whole)
        #expect(selection(["If-Match: \"a\""], tag: nil) == .preconditionFailed)
    }

    @Test func ignoresOtherRequests() {
        #expect(selection(["If-Range: \"a\""]) == nil)
        #expect(selection(["Accept: */*"]) == nil)
        #expect(RequestConditions(method: "POST") { _ in "bytes=0-1" } == nil)
        #expect(RequestConditions(method: "HEAD") { $0.hasSuffix("Range") ? "bytes=0-1" : nil } == nil)
    }
}

@Suite struct ConditionalPlanTests {
    private func plan(_ lines: [String], _ source: ByteSource) -> ResponsePlan {
        let head = ResponseHead(status: 200, reason: "OK", headers: lines.compactMap { HeaderLine($0) })
        var plan = ResponsePlan(steps: [.head(head), .bytes(source), .end(.complete)], framing: .contentLength)
        plan.evaluatesConditions = true
        return plan
    }

    private let lines = [
        "Content-Type: text/plain", "Content-Length: 10", "ETag: \"a\"", "Accept-Ranges: bytes", "Set-Cookie: a=b",
    ]

    private func conditions(_ name: String, _ value: String) throws -> RequestConditions {
        try #require(RequestConditions(method: "GET") { $0 == name ? value : nil })
    }

    private func text(_ plan: ResponsePlan?) -> [String]? {
        guard let plan, let head = plan.head else { return nil }
        let content = plan.steps.compactMap { step -> String? in
            if case .bytes(.bytes(let bytes)) = step { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
        return ["\(head.status) \(head.reason)"]
            + head.headers.map { String(decoding: $0.bytes, as: UTF8.self) } + content
    }

    @Test func sendsPart() throws {
        let plan = plan(lines, .bytes(Array("0123456789".utf8)))
        let expected = [
            "206 Partial Content", "Content-Type: text/plain", "Content-Length: 3", "ETag: \"a\"",
            "Accept-Ranges: bytes", "Set-Cookie: a=b", "Content-Range: bytes 2-4/10", "234",
        ]
        #expect(text(plan.answering(try conditions("Range", "bytes=2-4"))) == expected)
    }

    @Test func sendsPartOfFile() throws {
        let plan = plan(lines, .file(FileSource(path: "/big", offset: 5, size: 5_000_000_000)))
        let part = plan.answering(try conditions("Range", "bytes=4999999990-"))
        #expect(part?.steps.contains(.bytes(.file(FileSource(path: "/big", offset: 4_999_999_995, size: 10)))) == true)
    }

    @Test func omitsLinesOfContentItDoesNotSend() throws {
        let plan = plan(lines, .bytes(Array("0123456789".utf8)))
        let rest = ["ETag: \"a\"", "Accept-Ranges: bytes", "Set-Cookie: a=b"]
        #expect(text(plan.answering(try conditions("If-None-Match", "*"))) == ["304 Not Modified"] + rest)
        #expect(
            text(plan.answering(try conditions("Range", "bytes=10-")))
                == ["416 Range Not Satisfiable"] + rest + ["Content-Range: bytes */10", "Content-Length: 0"]
        )
        #expect(
            text(plan.answering(try conditions("If-Match", "\"b\"")))
                == ["412 Precondition Failed"] + rest + ["Content-Length: 0"]
        )
    }

    @Test func ignoresRangeWithoutAcceptRanges() throws {
        for line in ["Accept-Ranges: none", "X-Other: bytes"] {
            let plan = plan(["Content-Length: 10", "ETag: \"a\"", line], .bytes(Array("0123456789".utf8)))
            #expect(plan.answering(try conditions("Range", "bytes=2-4")) == nil)
        }
    }

    @Test func neverChangesRecording() throws {
        var plan = plan(lines, .bytes(Array("0123456789".utf8)))
        plan.evaluatesConditions = false
        #expect(plan.answering(try conditions("Range", "bytes=2-4")) == nil)
        #expect(plan.answering(try conditions("If-None-Match", "\"a\"")) == nil)
    }
}
