// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseWire

@Suite struct RequestRejectionTests {
    @Test(arguments: RequestCorpus.rejectedRequestLines)
    func rejectsInvalidRequestLine(_ rejected: RequestCorpus.Rejected) {
        expectRejection(rejected)
    }

    @Test(arguments: RequestCorpus.rejectedLines) func rejectsInvalidLine(_ rejected: RequestCorpus.Rejected) {
        expectRejection(rejected)
    }

    @Test(arguments: RequestCorpus.rejectedFields) func rejectsInvalidFields(_ rejected: RequestCorpus.Rejected) {
        expectRejection(rejected)
    }

    @Test(arguments: RequestCorpus.rejectedChunks) func rejectsInvalidChunks(_ rejected: RequestCorpus.Rejected) {
        expectRejection(rejected)
    }

    @Test(arguments: RequestCorpus.accepted) func acceptsValidRequests(_ input: String) {
        let transcript = RequestTranscript(input)
        #expect(transcript.error == nil)
        #expect(transcript.ending == .needsMore(isIdle: true))
        #expect(!transcript.requests.isEmpty)
        #expect(transcript.completed == transcript.requests.count)
    }

    /// A rejected message must not have been parsed as a complete request first.
    private func expectRejection(_ rejected: RequestCorpus.Rejected) {
        let transcript = RequestTranscript(rejected.input)
        #expect(transcript.error?.kind == rejected.kind, "\(transcript.error?.description ?? "no error")")
        #expect(transcript.error?.status == rejected.status)
        #expect(transcript.completed == 0)
    }

    /// The parser rejects at the byte that makes a fault certain, without waiting for more.
    @Test(arguments: [
        ("\u{16}", ParsingError.Kind.invalidMethod), ("GET  ", .invalidTarget), ("GET /\r", .missingVersion),
        ("GET / h", .invalidVersion), ("GET / HTTP/2.0\r", .unsupportedVersion),
        ("GET / HTTP/1.1\r\n ", .foldedLine), ("GET / HTTP/1.1\r\nX ", .whitespaceBeforeColon),
        ("GET / HTTP/1.1\r\nX: \u{0}", .invalidFieldValue), ("GET / HTTP/1.1\r\nX: a\n", .bareLineFeed),
        ("GET / HTTP/1.1\r\nHost: a b\r\n", .invalidHost),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n", .repeatedHost),
        ("GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n", .contentLengthWithTransferEncoding),
        ("GET / HTTP/1.1\r\nExpect: x\r\n", .unsupportedExpectation),
    ])
    func rejectsAsSoonAsFaultIsCertain(_ input: String, kind: ParsingError.Kind) {
        #expect(RequestTranscript(input).error?.kind == kind)
        #expect(RequestTranscript(String(input.unicodeScalars.dropLast())).error == nil)
    }

    @Test func errorLocatesFault() {
        let error = RequestTranscript("GET / HTTP/1.1\r\nHost: h\r\nName : value\r\n\r\n").error
        #expect(error?.offset == 29)
        #expect(error?.found == 0x20)
        #expect(error?.reason == "expected a colon right after the field name, found a space (at byte 29)")
        #expect(
            RequestTranscript("GET / HTTP/1.1\r\n\r\n").error?.reason
                == "expected a Host field, which HTTP/1.1 requires, found none (at byte 18)"
        )
        #expect(
            RequestTranscript("GET /\u{1}").error?.reason.hasSuffix("found byte 0x01 (at byte 5)") == true
        )
    }

    @Test(arguments: ParsingError.Kind.allCases) func everyErrorKindHasStatus(_ kind: ParsingError.Kind) {
        let statuses: [ParsingError.Kind: Int] = [
            .oversizedMethod: 501, .unsupportedTransferEncoding: 501, .oversizedTarget: 414, .unsupportedVersion: 505,
            .oversizedHeaderSection: 431, .excessiveFields: 431, .unsupportedExpectation: 417, .oversizedBody: 413,
        ]
        let error = ParsingError(kind, at: 7)
        #expect(error.status == statuses[kind, default: 400])
        #expect(error.reason.hasPrefix("expected "))
        #expect(error.description.hasPrefix("\(kind): expected "))
    }
}
