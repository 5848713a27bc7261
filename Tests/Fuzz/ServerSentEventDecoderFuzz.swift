// SPDX-License-Identifier: Apache-2.0

/// However the bytes are cut, the events and the state after them are the same, with a low limit and with the default.
/// The events are the same after they are encoded and decoded again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzServerSentEventDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let cuts = inputCuts(input)
    for limit in [LineDecoder.defaultMaxLineLength, 20] {
        let whole = decode(input, cuts: [], limit: limit)
        for other in cuts.dropFirst() {
            require(decode(input, cuts: other, limit: limit) == whole, "cut at \(other), limit \(limit)")
        }
        let again = decode(encode(whole.events), cuts: [], limit: LineDecoder.defaultMaxLineLength)
        require(again.events == whole.events, "different events when encoded again")
        require(!again.isInsideEvent, "an incomplete event when encoded again")
    }
    return 0
}

private struct Decoded: Equatable {
    var events: [ServerSentEvent] = []
    var lastEventID = ""
    var reconnectionTime: Duration?
    var isInsideEvent = false
    var failedLine: Int?
}

private func decode(_ input: [UInt8], cuts: [Int], limit: Int) -> Decoded {
    var decoder = ServerSentEventDecoder(maxEventLength: limit)
    var decoded = Decoded()
    do throws(StreamDecodingError) {
        var start = 0
        for end in cuts + [input.count] {
            decoder.append(Array(input[start..<end]))
            start = end
            while let event = try decoder.next() { decoded.events.append(event) }
        }
        decoder.finish()
        require(try decoder.next() == nil, "an event after the end")
        decoded.isInsideEvent = decoder.isInsideEvent
    } catch {
        decoded.failedLine = error.line
    }
    decoded.lastEventID = decoder.lastEventID
    decoded.reconnectionTime = decoder.reconnectionTime
    return decoded
}

private func encode(_ events: [ServerSentEvent]) -> [UInt8] {
    var text = ""
    for event in events {
        text += "event: \(event.name)\nid: \(event.id)\n"
        if let retry = event.retry {
            let (seconds, attoseconds) = retry.components
            text += "retry: \(seconds * 1000 + attoseconds / 1_000_000_000_000_000)\n"
        }
        for line in event.data.split(separator: "\n", omittingEmptySubsequences: false) { text += "data: \(line)\n" }
        text += "\n"
    }
    return Array(text.utf8)
}
