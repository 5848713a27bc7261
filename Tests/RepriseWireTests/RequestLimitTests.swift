// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseWire

/// A request at a limit is accepted; a request over it is rejected.
@Suite struct RequestLimitTests {
    private static let limits = RequestParser.Limits(target: 20, headerSection: 64, fields: 3, body: 10)

    @Test(arguments: [0, 1, 5]) func limitsTarget(excess: Int) {
        let target = "/" + String(repeating: "a", count: 19 + excess)
        expect("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n", excess, .oversizedTarget, 414)
        #expect((RequestTranscript("GET \(target)", limits: Self.limits).error == nil) == (excess == 0))
    }

    @Test(arguments: [0, 1]) func limitsHeaderSection(excess: Int) {
        let section = "Host: h\r\nX: \(String(repeating: "y", count: 48 + excess))\r\n\r\n"
        #expect(section.utf8.count == 64 + excess)
        expect("GET / HTTP/1.1\r\n\(section)", excess, .oversizedHeaderSection, 431)
    }

    @Test(arguments: [0, 1]) func limitsFieldCount(excess: Int) {
        let lines = String(repeating: "X: y\r\n", count: 2 + excess)
        expect("GET / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n", excess, .excessiveFields, 431)
    }

    @Test(arguments: [0, 1]) func limitsContentLength(excess: Int) {
        let body = String(repeating: "x", count: 10 + excess)
        expect(RequestCorpus.post("Content-Length: \(10 + excess)", body), excess, .oversizedBody, 413)
    }

    @Test(arguments: [0, 1]) func limitsSumOfChunks(excess: Int) {
        let body = "9\r\n123456789\r\n\(1 + excess)\r\nx\(excess == 1 ? "x" : "")\r\n0\r\n\r\n"
        expect(RequestCorpus.chunked(body), excess, .oversizedBody, 413)
    }

    @Test(arguments: [0, 1]) func limitsTrailerSection(excess: Int) {
        let trailers = "X: \(String(repeating: "y", count: 57 + excess))\r\n\r\n"
        #expect(trailers.utf8.count == 64 + excess)
        expect(RequestCorpus.chunked("0\r\n\(trailers)"), excess, .oversizedHeaderSection, 431)
    }

    @Test(arguments: [0, 1]) func limitsTrailerFieldCount(excess: Int) {
        let lines = String(repeating: "X: y\r\n", count: 3 + excess)
        expect(RequestCorpus.chunked("0\r\n\(lines)\r\n"), excess, .excessiveFields, 431)
    }

    @Test(arguments: [0, 1, 5]) func limitsMethod(excess: Int) {
        let method = String(repeating: "M", count: 64 + excess)
        expect("\(method) / HTTP/1.1\r\nHost: h\r\n\r\n", excess, .oversizedMethod, 501)
    }

    @Test(arguments: [0, 1]) func limitsEmptyLines(excess: Int) {
        expect(String(repeating: "\r\n", count: 4 + excess) + RequestCorpus.get(), excess, .excessiveEmptyLines, 400)
    }

    @Test(arguments: [0, 1]) func limitsChunkExtensions(excess: Int) {
        let name = String(repeating: "n", count: 4 * 1024 - 1 + excess)
        expect(RequestCorpus.chunked("0;\(name)\r\n\r\n"), excess, .excessiveChunkExtensions, 400)
    }

    /// Extensions may be as long as the content: signed uploads are accepted, signed chunks of one byte are not.
    @Test func allowsExtensionsAsLongAsContent() {
        let signature = ";signature=" + String(repeating: "f", count: 64)
        let chunk = "400\(signature)\r\n\(String(repeating: "x", count: 1024))\r\n"
        let upload = RequestCorpus.chunked(String(repeating: chunk, count: 200) + "0\(signature)\r\n\r\n")
        #expect(RequestTranscript(upload).error == nil)
        let drip = RequestCorpus.chunked(String(repeating: "1\(signature)\r\nx\r\n", count: 200))
        #expect(RequestTranscript(drip).error?.kind == .excessiveChunkExtensions)
    }

    @Test func hasDocumentedDefaults() {
        let limits = RequestParser.Limits()
        #expect(limits.target == 65536)
        #expect(limits.headerSection == 65536)
        #expect(limits.fields == 100)
        #expect(limits.body == 67_108_864)
    }

    @Test func acceptsLimitsOfAnySize() {
        let huge = RequestParser.Limits(target: .max, headerSection: .max, fields: .max, body: .max)
        #expect(RequestTranscript(RequestCorpus.get(), limits: huge).error == nil)
        let tiny = RequestParser.Limits(target: .min, headerSection: .min, fields: .min, body: .min)
        #expect(RequestTranscript(RequestCorpus.get(), limits: tiny).error?.kind == .excessiveFields)
    }

    private func expect(_ input: String, _ excess: Int, _ kind: ParsingError.Kind, _ status: Int) {
        var limits = Self.limits
        if kind == .excessiveChunkExtensions { limits = .init() }
        let transcript = RequestTranscript(input, limits: limits)
        #expect(transcript.error?.kind == (excess == 0 ? nil : kind))
        #expect(transcript.error?.status == (excess == 0 ? nil : status))
        #expect(transcript.completed == (excess == 0 ? 1 : 0))
        let input = bytes(input)
        #expect(RequestTranscript(input, cuts: Array(0..<input.count), limits: limits) == transcript)
    }
}
