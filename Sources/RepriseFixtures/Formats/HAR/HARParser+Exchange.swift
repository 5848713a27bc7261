// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseText

// Converts entries to exchanges.
extension HARParser {
    /// Returns the exchange for `entry`. Returns `nil` with a note if the entry cannot be replayed.
    mutating func exchange(_ entry: HAREntry) -> Exchange? {
        do throws(HAROmission) {
            var request = try self.request(entry)
            let response = try self.response(to: request.method, in: entry)
            if let part = entry.request {
                request.headers = headerLines(part.headers, at: part.place)
                addBody(of: part, to: &request)
            }
            return Exchange(request: request, outcome: .response(response), recorded: recorded(entry))
        } catch {
            let name = [text(entry.request?.method), clipped(text(entry.request?.url), to: 100)].filter { !$0.isEmpty }
            let subject = name.isEmpty ? "an entry" : name.joined(separator: " ")
            note(at: entry.place, "left out \(subject): \(error.reason)")
            return nil
        }
    }

    private func recorded(_ entry: HAREntry) -> RecordingTime? {
        guard let start = entry.started.map({ reader.spelling(of: $0) }), DatedTime(rfc3339: start) != nil else {
            return nil
        }
        return RecordingTime(at: start, milliseconds: entry.time.flatMap { $0 >= 0 ? $0 : nil })
    }

    // MARK: The request

    /// Returns the method and the URL of a request that an HTTP server answered.
    private func request(_ entry: HAREntry) throws(HAROmission) -> RecordedRequest {
        guard let part = entry.request else { throw HAROmission("it has no request") }
        let method = text(part.method)
        guard !method.isEmpty else { throw HAROmission("it has no method") }
        guard method.utf8.allSatisfy(isTokenByte) else { throw HAROmission("its method is invalid") }
        let url = text(part.url)
        if url.isEmpty { throw HAROmission("it has no URL") }
        if entry.isWebSocket { throw HAROmission("it is a WebSocket") }
        guard RecordedURL.isAbsolute(url) else {
            throw HAROmission("only URLs that start with http:// or https:// can be replayed")
        }
        // Browsers send these methods in uppercase (WHATWG Fetch section 2.2.1), but some tools keep their spelling.
        let known = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"].first { $0 == method.uppercased() }
        let request = RecordedRequest(method: known ?? method, url: Self.sentURL(url))
        if request.method == "CONNECT" { throw HAROmission("it opens a tunnel") }
        if let fault = RecordedURL.fault(of: request.url, method: method) {
            throw HAROmission("its URL has \(fault)")
        }
        return request
    }

    /// Returns `url` as it is sent: without a fragment, and with characters that some tools decode encoded again.
    private static func sentURL(_ url: String) -> String {
        var sent: [UInt8] = []
        var slashes = 0
        for byte in url.utf8.prefix(while: { $0 != UInt8(ascii: "#") }) {
            if byte == UInt8(ascii: "/") { slashes += 1 }
            // A non-ASCII host is encoded in Punycode instead of percent-encoding, so it is left unchanged.
            if byte <= 0x20 || byte == 0x7F || (byte >= 0x80 && slashes >= 3) {
                PercentEscape.append(byte, to: &sent)
            } else {
                sent.append(byte)
            }
        }
        return String(decoding: sent, as: UTF8.self)
    }

    /// Adds the body and its type to `request` and sets whether the body takes part in matching.
    private mutating func addBody(of part: HAREntry.Part, to request: inout RecordedRequest) {
        var typeValue = contentType(request.headers, part.body)
        let type = MediaType(typeValue)
        let announced = request.headers.firstValue(named: "Content-Length").flatMap { Int($0) } ?? 0
        let size = max(part.bodySize ?? 0, announced)
        func notCompared(_ reason: String) {
            request.comparesBody = false
            note(at: part.place, "the body of this request is not compared: \(reason)")
        }
        switch content(part.body, type: typeValue, size: size) {
        case .unusable(let reason): return notCompared(reason)
        case .bytes(let bytes, _) where !bytes.isEmpty:
            // Browsers leave out the content of files that a form sends.
            if type.isMultipart, size > 0, bytes.count != size {
                request.comparesBody = false
                return
            }
            request.body = RecordedBody(.bytes(bytes))
        case .missing, .bytes:
            if part.body.params.isEmpty {
                request.comparesBody = size <= 0
                return
            } else if type.isMultipart || part.body.params.contains(where: \.isFile) {
                request.comparesBody = false
                return
            } else if !type.isForm, !typeValue.isEmpty {
                return notCompared("the HAR file lists only form fields, but the body's type is \(type.name)")
            }
            request.body = RecordedBody(.bytes(form(part.body.params)))
            if typeValue.isEmpty { typeValue = Array("application/x-www-form-urlencoded".utf8) }
        }
        addContentType(typeValue, to: &request.headers)
    }

    /// Returns `params` encoded as a browser sends them.
    private func form(_ params: [HAREntry.Pair]) -> [UInt8] {
        var form: [UInt8] = []
        for (index, pair) in params.enumerated() {
            if index > 0 { form.append(UInt8(ascii: "&")) }
            form += FormText.encoded(pair.name.map(reader.repairedUTF8) ?? [])
            form.append(UInt8(ascii: "="))
            form += FormText.encoded(pair.value.map(reader.repairedUTF8) ?? [])
        }
        return form
    }
}
