// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Reads the heads of requests and responses.
extension CassetteParser {
    mutating func request() throws(JSONError) -> RecordedRequest? {
        guard var object = try open("the request", CassetteKey.ofRequest) else { return nil }
        let problemsBefore = problems.count
        var request = RecordedRequest(method: "", url: "")
        var url: TextPlace?
        var base: TextPlace?
        while let key = try nextKey(of: &object) {
            switch key {
            case .note: request.note = try note()
            case .method:
                request.method =
                    try string("expected a method such as \"GET\"", CassetteRules.fault(method:)) ?? ""
            case .url:
                if let text = try string("expected an http or https URL, or a path that starts with '/'") {
                    request.url = text
                    url = reader.tokenPlace
                }
            case .base:
                request.base = try string("expected the start of the request's URL")
                base = reader.tokenPlace
            case .headers: request.headers = try headerLines()
            case .comparesBody: request.comparesBody = try boolean(key) ?? true
            case .trailers:
                newFeatures.append((reader.tokenPlace, "trailers of a request"))
                request.trailers = try headerLines()
            default: request.body = try body()
            }
        }
        require(.method, .url, in: object)
        // Which URLs are valid depends on the method, which can follow the URL in the file.
        if let url, let fault = CassetteRules.fault(url: request.url, method: request.method) {
            report(at: url, fault)
        }
        if let base, let text = request.base, let fault = CassetteRules.fault(base: text, url: request.url) {
            report(at: base, fault)
        }
        return problems.count == problemsBefore ? request : nil
    }

    mutating func response() throws(JSONError) -> RecordedResponse? {
        guard var object = try open("the response", CassetteKey.ofResponse) else { return nil }
        let problemsBefore = problems.count
        var response = RecordedResponse(status: 0)
        while let key = try nextKey(of: &object) {
            switch key {
            case .note: response.note = try note()
            case .status:
                guard let status = try status("from 200 to 999", CassetteRules.fault(status:reason:)) else { continue }
                (response.status, response.reasonBytes) = status
            case .http:
                let expectation = "expected a version such as \"2\" or \"1.0\" for \"http\""
                response.httpVersion = try string(expectation, CassetteRules.fault(httpVersion:))
            case .after: response.delay = try milliseconds()
            case .headers: response.headers = try headerLines()
            case .body: response.content = try body().map { .body($0) } ?? .none
            case .stream: response.content = .stream(try stream())
            case .informational:
                newFeatures.append((reader.tokenPlace, "\"informational\""))
                response.informational = try informational()
            default: response.trailers = try headerLines()
            }
        }
        require(.status, in: object)
        if object.seen.contains(CassetteKey.body.group), object.seen.contains(CassetteKey.stream.group) {
            report(at: object.place, "expected either \"body\" or \"stream\", found both")
        }
        return problems.count == problemsBefore ? response : nil
    }

    private mutating func informational() throws(JSONError) -> [RecordedResponse.Informational] {
        guard try openArray("expected an array of responses for \"informational\"") else { return [] }
        var responses: [RecordedResponse.Informational] = []
        while var object = try nextObject("the informational response", CassetteKey.ofInformational) {
            responses.append(try informationalResponse(&object))
        }
        return responses
    }

    private mutating func informationalResponse(
        _ object: inout Object
    ) throws(JSONError) -> RecordedResponse.Informational {
        var response = RecordedResponse.Informational(status: 0)
        while let key = try nextKey(of: &object) {
            switch key {
            case .note: response.note = try note()
            case .status:
                guard let status = try status("from 100 to 199", CassetteRules.fault(informational:reason:)) else {
                    continue
                }
                (response.status, response.reasonBytes) = status
            case .after: response.delay = try milliseconds()
            default: response.headers = try headerLines()
            }
        }
        require(.status, in: object)
        return response
    }

    private mutating func boolean(_ key: CassetteKey) throws(JSONError) -> Bool? {
        let token = try reader.next()
        switch token {
        case .true: return true
        case .false: return false
        default:
            try reject(token, "expected true or false for \"\(key.name)\"")
            return nil
        }
    }

    /// Reads a status line without its version, and reports the fault that it has.
    private mutating func status(
        _ range: String,
        _ fault: (Int, [UInt8]) -> String?
    ) throws(JSONError) -> (status: Int, reason: [UInt8])? {
        let examples = range.hasPrefix("100") ? "\"103 Early Hints\"" : "\"200 OK\" or \"404\""
        let expectation = "expected a status such as \(examples), \(range)"
        let token = try reader.next()
        let place = reader.tokenPlace
        let text: [UInt8]
        switch token {
        case .string(let range):
            do {
                text = Array(try reader.string(of: range).utf8)
            } catch {
                report(error)
                return nil
            }
        case .beginObject:
            guard let encoded = try encodedLine("the status", place) else { return nil }
            text = encoded.bytes
        default:
            try reject(token, expectation)
            return nil
        }
        let digits = text.prefix(3)
        guard digits.count == 3, digits.allSatisfy(isDigit), digits.first != UInt8(ascii: "0"),
            text.count == 3 || text[3] == 0x20
        else {
            report(at: place, "\(expectation), found \"\(clipped(String(decoding: text, as: UTF8.self)))\"")
            return nil
        }
        let (status, reason) = (digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, Array(text.dropFirst(4)))
        if let fault = fault(status, reason) { report(at: place, fault) }
        return (status, reason)
    }

    // MARK: Header lines

    private mutating func headerLines() throws(JSONError) -> [HeaderLine] {
        guard try openArray("expected an array of header lines such as [\"Content-Type: text/plain\"]") else {
            return []
        }
        var lines: [HeaderLine] = []
        lines.reserveCapacity(8)
        while true {
            let token = try reader.next()
            try stopIfThereAreMore()
            switch token {
            case .endArray:
                return lines
            case .string(let range):
                if !reader.tokenHasEscapes, let line = headerLineCache.line(at: range, in: reader.bytes) {
                    lines.append(line)
                    continue
                }
                do {
                    add(try reader.utf8(of: range), at: reader.tokenPlace, to: &lines)
                } catch {
                    report(error)
                }
            case .beginObject:
                let place = reader.tokenPlace
                guard let (bytes, note) = try encodedLine("the header line", place) else { continue }
                add(bytes, note, at: place, to: &lines)
            default:
                try reject(token, "expected a header line such as \"Content-Type: text/plain\"")
            }
        }
    }

    private mutating func encodedLine(
        _ name: String,
        _ place: TextPlace
    ) throws(JSONError) -> (bytes: [UInt8], note: String?)? {
        var object = Object(name: name, place: place, known: CassetteKey.ofHeaderLine)
        var bytes: [UInt8]?
        var note: String?
        while let key = try nextKey(of: &object) {
            switch key {
            case .note: note = try self.note()
            default: bytes = try base64()
            }
        }
        require(.base64, in: object)
        return bytes.map { ($0, note) }
    }

    private mutating func add(
        _ bytes: [UInt8],
        _ note: String? = nil,
        at place: TextPlace,
        to lines: inout [HeaderLine]
    ) {
        if var line = HeaderLine(bytes: bytes) {
            line.note = note
            lines.append(line)
            return
        }
        let fault = HeaderLine.problem(in: bytes)?.description ?? "another text"
        let text = clipped(String(decoding: bytes.prefix(200), as: UTF8.self).filter { $0 >= " " })
        report(at: place, "expected a header line such as \"Content-Type: text/plain\", found \(fault) in \"\(text)\"")
    }
}
