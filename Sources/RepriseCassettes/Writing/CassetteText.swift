// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// Builds the text of a cassette.
package struct CassetteText {
    package var builder: JSONTextBuilder
    /// The offset in the text at which the steps of the last written stream start.
    package private(set) var startOfSteps = 0
    /// The range in the text of the delay before the last written response.
    package private(set) var placeOfDelay: Range<Int>?
    /// The range in the text of the object with the times of the last written exchange.
    package private(set) var placeOfTime: Range<Int>?
    /// The body files that the text names and that do not exist yet.
    var bodies: [String: [UInt8]] = [:]
    /// The path at which the text will be saved.
    let path: String?
    /// Whether bodies are written as plain strings instead of JSON. The recording log uses this, because its lines
    /// are not meant for people to read.
    let keepsBodiesPlain: Bool

    /// Creates an empty text for the cassette at `path`.
    ///
    /// - Parameters:
    ///   - depth: The number of open objects and arrays around the text.
    ///   - isOneLine: Whether all of the text is on one line.
    ///   - keepsBodiesPlain: Whether bodies are written as strings and never as JSON.
    package init(path: String?, depth: Int = 0, isOneLine: Bool = false, keepsBodiesPlain: Bool = false) {
        self.path = path
        self.keepsBodiesPlain = keepsBodiesPlain
        builder = JSONTextBuilder(depth: depth, isOneLine: isOneLine)
    }

    mutating func add(_ cassette: Cassette) throws(CassetteWriter.Problem) {
        builder.beginObject()
        key(.reprise)
        number("\(cassette.format.rawValue)")
        add(.note, cassette.note)
        if let standIns = cassette.standIns, !standIns.isEmpty { add(standIns) }
        key(.exchanges)
        builder.beginArray()
        for exchange in cassette.exchanges {
            builder.element()
            try add(exchange)
        }
        builder.end()
        builder.end()
    }

    private mutating func add(_ standIns: [StandIn]) {
        key(.standIns)
        builder.beginArray()
        for standIn in standIns {
            builder.element()
            add(standIn)
        }
        builder.end()
    }

    /// Adds an entry of the table of stand-ins.
    package mutating func add(_ standIn: StandIn) {
        builder.beginObject(onOneLine: true)
        add(.note, standIn.note)
        add(.text, standIn.text)
        add(.shape, standIn.shape?.rawValue)
        add(.literal, standIn.literal)
        builder.end()
    }

    package mutating func add(_ exchange: Exchange) throws(CassetteWriter.Problem) {
        builder.beginObject()
        add(.note, exchange.note)
        key(.request)
        try add(exchange.request)
        switch exchange.outcome {
        case .response(let response):
            key(.response)
            try add(response)
        case .failure(let failure):
            add(failure == .cancelled ? .end : .failure, failure.rawValue)
        }
        if let recorded = exchange.recorded {
            key(.recorded)
            let start = builder.text.count
            builder.beginObject(onOneLine: true)
            add(.note, recorded.note)
            add(.at, recorded.at)
            if let milliseconds = recorded.milliseconds {
                key(.milliseconds)
                number("\(milliseconds)")
            }
            builder.end()
            placeOfTime = start..<builder.text.count
        }
        builder.end()
    }

    private mutating func add(_ request: RecordedRequest) throws(CassetteWriter.Problem) {
        builder.beginObject()
        add(.note, request.note)
        add(.method, request.method)
        add(.url, request.url)
        add(.base, request.base)
        add(.headers, request.headers)
        if !request.comparesBody {
            key(.comparesBody)
            number("false")
        }
        if let body = request.body { try add(body, headers: request.headers) }
        add(.trailers, request.trailers)
        builder.end()
    }

    private mutating func add(_ response: RecordedResponse) throws(CassetteWriter.Problem) {
        builder.beginObject()
        add(.note, response.note)
        if !response.informational.isEmpty { add(response.informational) }
        key(.status)
        add(status: response.status, response.reasonBytes)
        add(.http, response.httpVersion)
        if let delay = response.delay {
            key(.after)
            let start = builder.text.count
            builder.raw { delay.appendMilliseconds(to: &$0) }
            placeOfDelay = start..<builder.text.count
        }
        add(.headers, response.headers)
        switch response.content {
        case .none: break
        case .body(let body): try add(body, headers: response.headers)
        case .stream(let steps): add(steps)
        }
        add(.trailers, response.trailers)
        builder.end()
    }

    private mutating func add(_ informational: [RecordedResponse.Informational]) {
        key(.informational)
        builder.beginArray()
        for response in informational {
            builder.element()
            builder.beginObject()
            add(.note, response.note)
            key(.status)
            add(status: response.status, response.reasonBytes)
            if let delay = response.delay {
                key(.after)
                builder.raw { delay.appendMilliseconds(to: &$0) }
            }
            add(.headers, response.headers)
            builder.end()
        }
        builder.end()
    }

    private mutating func add(status: Int, _ reason: [UInt8]) {
        var text: [UInt8] = []
        text.reserveCapacity(4 + reason.count)
        text.append(decimal: UInt64(clamping: status))
        if !reason.isEmpty {
            text.append(0x20)
            text += reason
        }
        guard !UTF8Sequence.isValid(text) else { return builder.string(text) }
        builder.beginObject(onOneLine: true)
        add(.base64, Base64.encode(text))
        builder.end()
    }

    private mutating func add(_ key: CassetteKey, _ lines: [HeaderLine]) {
        guard !lines.isEmpty else { return }
        self.key(key)
        builder.beginArray()
        for line in lines {
            builder.element()
            if line.note == nil, UTF8Sequence.isValid(line.bytes) {
                builder.string(line.bytes)
            } else {
                builder.beginObject(onOneLine: true)
                add(.note, line.note)
                add(.base64, Base64.encode(line.bytes))
                builder.end()
            }
        }
        builder.end()
    }

    private mutating func add(_ steps: [StreamStep]) {
        key(.stream)
        builder.beginArray()
        startOfSteps = builder.text.count
        for step in steps { add(step) }
        builder.end()
    }

    package mutating func add(_ step: StreamStep) {
        builder.element()
        builder.beginObject(onOneLine: true)
        add(.note, step.note)
        key(.after)
        builder.raw { step.after.appendMilliseconds(to: &$0) }
        switch step.event {
        case .bytes(let bytes) where UTF8Sequence.isValid(bytes): add(.text, bytes)
        case .bytes(let bytes): add(.base64, Base64.encode(bytes))
        case .end(let ending): add(.end, ending.rawValue)
        }
        if step.missing > 0 {
            key(.missing)
            number(String(step.missing))
        }
        builder.end()
    }

    // MARK: Values

    mutating func key(_ key: CassetteKey) {
        builder.key(spelled: key.spelling)
    }

    mutating func number(_ spelling: String) {
        builder.raw(Array(spelling.utf8))
    }

    mutating func add(_ key: CassetteKey, _ utf8: [UInt8]) {
        self.key(key)
        builder.string(utf8)
    }

    mutating func add(_ key: CassetteKey, _ text: String?) {
        guard let text else { return }
        self.key(key)
        builder.string(text)
    }
}
