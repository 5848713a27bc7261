// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

@testable import RepriseConnections

@Suite struct ClientConnectionStateMachineTests {
    typealias Machine = ClientConnectionStateMachine

    // MARK: Responses

    @Test(arguments: ResponseCorpus.accepted) func acceptsValidResponses(_ input: String) {
        let transcript = ResponseTranscript(Array(input.utf8))
        #expect(transcript.fault == nil)
        #expect(transcript.isComplete || transcript.ending == .complete)
    }

    @Test(arguments: ResponseCorpus.rejected)
    func rejectsInvalidResponses(_ input: String, fault: ResponseTranscript.Fault) {
        let transcript = ResponseTranscript(Array(input.utf8))
        #expect(transcript.fault == fault)
        #expect(!transcript.isComplete)
        #expect(!transcript.isReusable)
    }

    @Test(arguments: ResponseCorpus.truncated) func detectsTruncation(_ input: String) {
        #expect(ResponseTranscript(Array(input.utf8)).ending == .truncated)
    }

    @Test func preservesHeadLayout() {
        let input = "HTTP/1.1 200  Fine \r\nserver:x\r\nSet-Cookie:  a \r\nContent-Length: 0\r\n\r\n"
        let transcript = ResponseTranscript(Array(input.utf8))
        #expect(transcript.statusLine == "HTTP/1.1 200  Fine ")
        #expect(transcript.lines == ["server:x", "Set-Cookie:  a ", "Content-Length: 0"])
        #expect(transcript.fields == ["server=x", "Set-Cookie=a", "Content-Length=0"])
        #expect(transcript.length == 0)
    }

    @Test func separatesChunksAndTrailers() {
        let input = ResponseCorpus.ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nA: 1\r\n b\r\n\r\n"
        #expect(ResponseTranscript(Array(input.utf8)).trailers == ["A: 1 b"])
        let good = ResponseCorpus.ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\nA: 1\r\nB:2\r\n\r\n"
        let transcript = ResponseTranscript(Array(good.utf8))
        #expect(transcript.chunks == ["ab", "c"])
        #expect(transcript.trailers == ["A: 1", "B:2"])
        #expect(transcript.isReusable)
    }

    @Test(
        arguments: [
            ("Content-Length: 1\r\n\r\nx", true), ("Content-Length: 1\r\n\r\nxy", false),
            ("Content-Length: 1\r\nConnection: close\r\n\r\nx", false), ("\r\nx", false),
            ("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false),
        ]
    )
    func isReusableOnlyAfterCompleteKeepAliveResponse(rest: String, isReusable: Bool) {
        let transcript = ResponseTranscript(Array((ResponseCorpus.ok + rest).utf8))
        #expect(transcript.fault == nil)
        #expect(transcript.isReusable == isReusable)
    }

    @Test(arguments: ["HEAD", "GET"]) func responseToHEADHasNoBody(method: String) {
        let traits = RequestTraits(kind: ResponseParser.RequestKind(method: method))
        let input = Array((ResponseCorpus.ok + "Content-Length: 5\r\n\r\n").utf8)
        #expect(ResponseTranscript(input, answering: traits).isReusable == (method == "HEAD"))
    }

    @Test func accepts101WhenRequested() {
        let input = Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nanything".utf8)
        let transcript = ResponseTranscript(input, answering: RequestTraits(asksForUpgrade: true))
        #expect(transcript.content == "anything")
        #expect(transcript.ending == .complete)
        #expect(!transcript.isReusable)
    }

    @Test func limitsInterimResponses() {
        var configuration = ConnectionPool.Configuration()
        configuration.maximumInterimResponses = 2
        let interim = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let end = ResponseCorpus.ok + "Content-Length: 0\r\n\r\n"
        let two = Array((interim + interim + end).utf8)
        #expect(ResponseTranscript(two, configuration: configuration).isReusable)
        let three = Array((interim + interim + interim + end).utf8)
        #expect(ResponseTranscript(three, configuration: configuration).fault == .interimFlood)
    }

    @Test func limitsHeadSizeAndFieldCount() {
        var configuration = ConnectionPool.Configuration()
        configuration.responseLimits = ResponseParser.Limits(headerSection: 1000, fields: 5)
        let endless = Array((ResponseCorpus.ok + "A: " + String(repeating: "x", count: 2000)).utf8)
        let fault = ResponseTranscript(endless, configuration: configuration).fault
        #expect(fault == .malformed(.oversizedHeaderSection))
        let many = Array((ResponseCorpus.ok + String(repeating: "A: b\r\n", count: 6)).utf8)
        #expect(ResponseTranscript(many, configuration: configuration).fault == .malformed(.excessiveFields))
    }

    @Test func rejectsUnsolicitedBytes() {
        var machine = Machine()
        #expect(kind(of: receive("H", &machine)) == "failed(unsolicited)")
        #expect(machine.phase == .closed)
    }

    @Test func closeDelimitedBodyRequiresCleanEnd() {
        var machine = answering(RequestTraits())
        _ = receive(ResponseCorpus.ok + "\r\n", &machine)
        #expect(machine.end(isClean: false) == .truncated)
    }

    @Test func distinguishesUnansweredFromTruncated() {
        var machine = answering(RequestTraits())
        #expect(machine.end(isClean: true) == .unanswered)
        var idle = Machine()
        #expect(idle.end(isClean: true) == .idle)
        var begun = answering(RequestTraits())
        _ = receive("H", &begun)
        #expect(begun.end(isClean: false) == .truncated)
    }

    @Test func handlesSequentialRequests() {
        var machine = Machine()
        for _ in 0..<3 {
            machine.begin(RequestTraits())
            machine.uploadIsComplete()
            #expect(!machine.hasResponseBegun)
            #expect(kind(of: receive("HTTP/1.1 204 No Content\r\n\r\n", &machine)) == "complete")
            #expect(machine.phase == .idle)
        }
    }

    // MARK: Uploads

    @Test func waitsFor100Continue() {
        var machine = answering(RequestTraits(framing: .chunked, awaitsContinue: true))
        #expect(machine.upload == .awaitsContinue)
        _ = receive("HTTP/1.1 103 Early Hints\r\n\r\n", &machine)
        #expect(machine.upload == .awaitsContinue)
        _ = receive("HTTP/1.1 100 Continue\r\n\r\n", &machine)
        #expect(machine.upload == .open)
    }

    @Test(arguments: [200, 417]) func finalResponseInsteadOf100AbandonsUpload(status: Int) {
        var machine = answering(RequestTraits(framing: .chunked, awaitsContinue: true))
        _ = receive("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n", &machine)
        #expect(machine.upload == .abandoned)
        // The server may still expect the body and could mistake the next request for it.
        #expect(machine.phase == .closed)
    }

    @Test(arguments: [(200, Machine.Upload.open), (299, .open), (300, .abandoned), (413, .abandoned)])
    func earlyUnsuccessfulResponseAbandonsUpload(status: Int, upload: Machine.Upload) {
        var machine = answering(RequestTraits(framing: .chunked))
        _ = receive("HTTP/1.1 \(status) X\r\nContent-Length: 1\r\n\r\n", &machine)
        #expect(machine.upload == upload)
        _ = receive("x", &machine)
        #expect(machine.phase == (upload == .open ? .uploading : .closed))
    }

    @Test func uploadContinuesAfterSuccessfulResponse() {
        for end in ["upload", "abandoned", "connection", "bytes"] {
            var machine = answering(RequestTraits(framing: .chunked))
            _ = receive("HTTP/1.1 204 X\r\n\r\n", &machine)
            #expect(machine.phase == .uploading)
            #expect(machine.upload == .open)
            switch end {
            case "upload": machine.uploadIsComplete()
            case "abandoned": machine.abandonUpload()
            case "connection": #expect(machine.end(isClean: false) == .complete)
            default: _ = receive("x", &machine)
            }
            #expect(machine.phase == (end == "upload" ? .idle : .closed), "\(end)")
        }
    }

    @Test(arguments: ["Connection: close\r\n", "\r\nx"])
    func uploadStopsAfterResponseThatEndsConnection(rest: String) {
        var machine = answering(RequestTraits(framing: .chunked))
        _ = receive("HTTP/1.1 204 X\r\n\(rest)\r\n", &machine)
        #expect(machine.phase == .closed)
    }

    @Test func isReusableWhenUploadEndsBeforeResponse() {
        var machine = answering(RequestTraits(framing: .chunked))
        _ = receive("HTTP/1.1 200 X\r\nContent-Length: 1\r\n\r\n", &machine)
        machine.uploadIsComplete()
        _ = receive("x", &machine)
        #expect(machine.phase == .idle)
    }

    @Test func closesAfterRequestWithConnectionClose() {
        var machine = answering(RequestTraits(isKeepAlive: false))
        machine.uploadIsComplete()
        _ = receive("HTTP/1.1 204 X\r\n\r\n", &machine)
        #expect(machine.phase == .closed)
    }

    // MARK: Support

    private func answering(_ traits: RequestTraits) -> Machine {
        var machine = Machine()
        machine.begin(traits)
        return machine
    }

    /// Feeds `text` to the machine and returns the last event.
    private func receive(_ text: String, _ machine: inout Machine) -> Machine.Event {
        let input = Array(text.utf8)[...]
        var offset = 0
        while true {
            let event = machine.receive(input.span, from: offset)
            switch event {
            case .interim(_, let consumed), .head(_, let consumed): offset = consumed
            case .content(let range, _): offset = range.upperBound
            case .needsMore, .complete, .failed: return event
            }
        }
    }

    private func kind(of event: Machine.Event) -> String {
        switch event {
        case .failed(let fault): "failed(\(fault))"
        case .complete: "complete"
        default: "\(event)"
        }
    }
}
