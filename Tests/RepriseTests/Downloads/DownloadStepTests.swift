// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct DownloadStepTests {
    private func response(_ status: HTTPResponse.Status, _ range: String? = nil, _ fields: HTTPFields = [:])
        -> HTTPResponse
    {
        var fields = fields
        fields[.contentRange] = range
        return HTTPResponse(status: status, headerFields: fields)
    }

    @Test(
        arguments: [
            ("bytes 0-499/1234", 0..<500, 1234), ("bytes 5-5/*", 5..<6, nil), ("Bytes  0-0/1", 0..<1, 1),
            ("bytes */12", nil, 12),
        ] as [(String, Range<Int>?, Int?)]
    )
    func parsesContentRanges(text: String, bytes: Range<Int>?, total: Int?) {
        let range = ContentRange(text)
        #expect(range != nil)
        #expect(range?.bytes == bytes)
        #expect(range?.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-1", "bytes 5-4/9", "bytes 0-9/9", "bytes */*", "bytes -1-2/3", "bytes 0-/3",
        "items 0-1/2",
        "bytes 0-1/2/3", "bytes +0-1/2", "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*",
    ])
    func rejectsInvalidContentRanges(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test func appendsOnlyRequestedRangeOfSameVersion() {
        func step(_ range: String?, _ fields: HTTPFields = [:], status: HTTPResponse.Status = .partialContent)
            -> DownloadStep
        {
            DownloadStep(response(status, range, fields), offset: 3, validator: "\"1\"")
        }
        #expect(step("bytes 3-9/10") == .append(end: 10, total: 10))
        #expect(step("bytes 3-5/*", [.eTag: "\"1\""]) == .append(end: 6, total: nil))
        #expect(step("bytes 3-9/10", [.contentEncoding: "identity"]) == .append(end: 10, total: 10))
        // S3 returns what was uploaded with an object.
        #expect(step("bytes 3-9/10", [.contentEncoding: "aws-chunked"]) == .append(end: 10, total: 10))
        #expect(step("bytes 2-9/10") == .repeatWithoutRange)
        #expect(step(nil) == .repeatWithoutRange)
        #expect(step("bytes 3-9/10", [.eTag: "\"2\""]) == .repeatWithoutRange)
        #expect(step("bytes 3-9/10", [.contentEncoding: "gzip"]) == .repeatWithoutRange)
        #expect(step(nil, status: .ok) == .restart)
        #expect(step("bytes 3-9/10", status: .ok) == .restart)
        #expect(step("bytes */3", status: .rangeNotSatisfiable) == .complete)
        #expect(step("bytes */2", status: .rangeNotSatisfiable) == .repeatWithoutRange)
        #expect(step(nil, status: .rangeNotSatisfiable) == .repeatWithoutRange)
    }

    @Test func restartsWithoutRange() {
        #expect(DownloadStep(response(.ok), offset: 0, validator: nil) == .restart)
        #expect(DownloadStep(response(.partialContent, "bytes 3-9/10"), offset: 0, validator: nil) == .restart)
    }

    @Test func identifiesContentOnlyByStrongValidators() {
        let changed = "Sun, 06 Nov 1994 08:49:37 GMT"
        let later = "Sun, 06 Nov 1994 08:49:38 GMT"
        func validator(_ fields: HTTPFields) -> String? { response(.ok, nil, fields).rangeValidator }
        #expect(validator([.eTag: "\"a\""]) == "\"a\"")
        #expect(validator([.lastModified: changed, .date: later]) == changed)
        #expect(validator([.eTag: "\"a\"", .acceptRanges: "bytes", .contentEncoding: "identity"]) == "\"a\"")
        #expect(validator([:]) == nil)
        #expect(validator([.eTag: "W/\"a\""]) == nil)
        #expect(validator([.eTag: "W/\"a\"", .lastModified: changed, .date: later]) == nil)
        #expect(validator([.lastModified: changed, .date: changed]) == nil)
        #expect(validator([.lastModified: changed]) == nil)
        #expect(validator([.eTag: "\"a\"", .acceptRanges: "none"]) == nil)
        #expect(validator([.eTag: "\"a\"", .contentEncoding: "gzip"]) == nil)
    }
}
