// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

// Converts entries to exchanges.
extension HARParser {
    /// Returns the exchange for `entry`. Returns `nil` with a note if the entry cannot be replayed, and `nil` with a
    /// reported mistake if it is malformed.
    mutating func exchange(_ entry: HAREntry) -> Exchange? {
        guard let request = request(entry) else { return nil }
        func leaveOut(_ reason: String) -> Exchange? {
            note(at: entry.place, "left out \(request.method) \(clipped(request.url, to: 100)): \(reason)")
            return nil
        }
        if entry.isWebSocket { return leaveOut("it is a WebSocket") }
        guard RecordedURL.isAbsolute(request.url) else {
            return leaveOut("only URLs that start with http:// or https:// can be replayed")
        }
        if let fault = RecordedURL.fault(of: request.url, method: request.method) {
            return leaveOut("its URL has \(fault)")
        }
        guard let part = entry.response, let status = part.status, status > 0 else {
            return leaveOut("the HAR file has no response for it; it was blocked, canceled, or not finished")
        }
        if status == 101 { return leaveOut("it is a WebSocket or another upgrade") }
        guard 200...999 ~= status else { return leaveOut("\(status) is not a final status") }
        guard let response = response(part, status: status, to: request, in: entry) else { return nil }
        return Exchange(request: request, outcome: .response(response), recorded: recorded(entry))
    }

    private func recorded(_ entry: HAREntry) -> RecordingTime? {
        guard let range = entry.started, RecordingTime.isTime(reader.slice.span.extracting(range)) else { return nil }
        return RecordingTime(
            at: reader.spelling(of: range),
            milliseconds: entry.time.flatMap { $0 >= 0 ? $0 : nil }
        )
    }

    // MARK: The request

    private mutating func request(_ entry: HAREntry) -> RecordedRequest? {
        guard let part = entry.request else {
            report(at: entry.place, "expected an object for \"request\" in the entry, found none")
            return nil
        }
        let method = text(part.method)
        guard !method.isEmpty, method.utf8.allSatisfy(isTokenByte) else {
            report(at: part.place, "expected a method such as \"GET\" in the request, found \"\(clipped(method))\"")
            return nil
        }
        let url = text(part.url)
        guard !url.isEmpty else {
            report(at: part.place, "expected a \"url\" in the request, found none")
            return nil
        }
        var request = RecordedRequest(method: method, url: RecordedURL.isAbsolute(url) ? Self.sentURL(url) : url)
        request.headers = headerLines(part.headers, at: part.place)
        addBody(of: part, to: &request)
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
        if let bytes = bytes(part.body, type: typeValue, size: size), !bytes.isEmpty {
            // Browsers leave out the content of files that a form sends.
            if type.isMultipart, size > 0, bytes.count != size {
                request.comparesBody = false
                return
            }
            request.body = RecordedBody(.bytes(bytes))
        } else if part.body.params.isEmpty {
            request.comparesBody = size <= 0
            return
        } else if type.isMultipart || part.body.params.contains(where: \.isFile) {
            request.comparesBody = false
            return
        } else {
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
