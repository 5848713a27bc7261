// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseText

/// Parses a HAR file: finds the entries and reads each as written. The extensions convert entries to exchanges.
struct HARParser {
    var reader: JSONReader
    var har: HARFile
    var result = HARReader.Result()
    private(set) var problems: [FixtureProblem] = []
    private let file: String
    private var cursor = LocationCursor()

    init(_ har: HARFile, file: String) {
        reader = JSONReader(har.text)
        self.har = har
        self.file = file
    }

    // MARK: Mistakes and notes

    /// The number of notes on one file. A hostile file could have as many reasons as bytes.
    private static let limitOfNotes = 1000

    mutating func report(at place: TextPlace, _ message: String) {
        problems.append(FixtureProblem(file: file, location: location(of: place), message: message))
    }

    /// Reports why reading stopped early: the text is not JSON.
    mutating func reportEnd(_ error: JSONError) {
        let location = error.location(in: reader.bytes)
        problems.append(FixtureProblem(file: file, location: location, message: error.message))
    }

    mutating func note(at place: TextPlace, _ message: String) {
        guard result.notes.count <= Self.limitOfNotes else { return }
        let isLast = result.notes.count == Self.limitOfNotes
        let message = isLast ? "and more; the first \(Self.limitOfNotes) notes are shown" : message
        let location = location(of: place)
        result.notes.append(FixtureProblem(file: file, location: location, message: message))
    }

    private mutating func location(of place: TextPlace) -> FilePosition {
        cursor.location(of: place, in: reader.bytes)
    }

    // MARK: The file

    /// Reads the whole file.
    mutating func readFile() throws(JSONError) {
        var hasLog = false
        guard try open("the HAR file") else { return }
        let place = reader.tokenPlace
        while let key = try nextKey() {
            if key == .log {
                hasLog = true
                try log()
            } else {
                _ = try reader.skipValue()
            }
        }
        if !hasLog { report(at: place, "expected \"log\" in the HAR file, found none; export it again as HAR") }
        _ = try reader.next()
    }

    private mutating func log() throws(JSONError) {
        var hasEntries = false
        guard try open("\"log\"") else { return }
        let place = reader.tokenPlace
        while let key = try nextKey() {
            if key == .entries {
                hasEntries = true
                try entries()
            } else {
                _ = try reader.skipValue()
            }
        }
        if !hasEntries { report(at: place, "expected \"entries\" in \"log\", found none") }
    }

    private mutating func entries() throws(JSONError) {
        let token = try reader.next()
        guard token == .beginArray else {
            report(at: reader.tokenPlace, "expected an array for \"entries\", found \(reader.description(of: token))")
            try reader.skipRest(of: token)
            return
        }
        while true {
            let token = try reader.next()
            if token == .endArray { return }
            guard token == .beginObject else {
                note(
                    at: reader.tokenPlace,
                    "left out an entry: it is not an object, but \(reader.description(of: token))"
                )
                try reader.skipRest(of: token)
                continue
            }
            let entry = try entry(HAREntry(place: reader.tokenPlace))
            if let exchange = exchange(entry) {
                result.exchanges.append(exchange)
                result.locations.append(location(of: entry.place))
            }
        }
    }

    private mutating func entry(_ started: HAREntry) throws(JSONError) -> HAREntry {
        var entry = started
        while let key = try nextKey() {
            switch key {
            case .startedDateTime: entry.started = try string()
            case .time: entry.time = try number()
            case .request: entry.request = try part()
            case .response: entry.response = try part()
            case .timings: entry.wait = try wait()
            case .eventSourceMessages: entry.messages = try messages()
            case .webSocketMessages: entry.isWebSocket = try isArrayWithElements()
            case .error, .failureText, .wasAborted: entry.failure = try failure() ?? entry.failure
            default: _ = try reader.skipValue()
            }
        }
        return entry
    }

    /// Reads a request or a response. Returns `nil` if it is missing.
    private mutating func part() throws(JSONError) -> HAREntry.Part? {
        guard try open(if: .beginObject) else { return nil }
        var part = HAREntry.Part(place: reader.tokenPlace)
        while let key = try nextKey() {
            switch key {
            case .headers: part.headers = try pairs(key)
            case .postData, .content: part.body = try body()
            case .bodySize: part.bodySize = try number().flatMap(Int.init(exactly:))
            case .method: part.method = try string()
            case .url: part.url = try string()
            case .status: part.status = try number().flatMap(Int.init(exactly:))
            case .statusText: part.statusText = try string()
            case .httpVersion: part.httpVersion = try string()
            case .redirectURL: part.redirectURL = try string()
            case .error, .failureText: part.failure = try failure() ?? part.failure
            default: _ = try reader.skipValue()
            }
        }
        return part
    }

    private mutating func body() throws(JSONError) -> HAREntry.Body {
        var body = HAREntry.Body()
        guard try open(if: .beginObject) else { return body }
        while let key = try nextKey() {
            switch key {
            case .mimeType: body.mimeType = try string()
            case .text: try readText(of: &body)
            case .file, .sha1: body.file = try string() ?? body.file
            case .truncated: if try failure() != nil { body.fault = "its body is truncated" }
            case .encoding, .customEncoding: body.encoding = try string() ?? body.encoding
            case .size: body.size = try number().flatMap(Int.init(exactly:))
            case .params: body.params = try pairs(key)
            default: _ = try reader.skipValue()
            }
        }
        return body
    }

    private mutating func readText(of body: inout HAREntry.Body) throws(JSONError) {
        let token = try reader.next()
        if case .string(let range) = token {
            body.text = range
            return
        }
        if body.text == nil, token != .null {
            body.fault = "its body is \(reader.description(of: token)) instead of a string"
        }
        try reader.skipRest(of: token)
    }

    private mutating func pairs(_ key: HARKey) throws(JSONError) -> [HAREntry.Pair] {
        var pairs: [HAREntry.Pair] = []
        let token = try reader.next()
        guard token == .beginArray else {
            if token != .null {
                note(
                    at: reader.tokenPlace,
                    "expected an array for \"\(key.name)\", found \(reader.description(of: token)); it is ignored"
                )
            }
            try reader.skipRest(of: token)
            return pairs
        }
        while try nextObject() {
            var pair = HAREntry.Pair()
            while let key = try nextKey() {
                switch key {
                case .name: pair.name = try string()
                case .value: try readValue(of: &pair)
                case .fileName: pair.isFile = try string()?.isEmpty == false
                default: _ = try reader.skipValue()
                }
            }
            pairs.append(pair)
        }
        return pairs
    }

    private mutating func messages() throws(JSONError) -> [HAREntry.Message] {
        var messages: [HAREntry.Message] = []
        guard try open(if: .beginArray) else { return messages }
        while try nextObject() {
            var message = HAREntry.Message()
            while let key = try nextKey() {
                switch key {
                case .time: message.time = try number()
                case .eventName: message.eventName = try string()
                case .eventId: message.eventId = try string()
                case .data: message.data = try string()
                default: _ = try reader.skipValue()
                }
            }
            messages.append(message)
        }
        return messages
    }

    private mutating func wait() throws(JSONError) -> Double? {
        guard try open(if: .beginObject) else { return nil }
        var wait: Double?
        while let key = try nextKey() {
            if key == .wait { wait = try number() } else { _ = try reader.skipValue() }
        }
        return wait
    }
}
