// SPDX-License-Identifier: Apache-2.0

import RepriseRecording

@testable import RepriseCassettes
@testable import RepriseText

/// An exchange of the corpus with the values of one client.
struct FilledExchange {
    var method: String
    var url: String
    var requestHeaders: [String]
    var requestBody: [UInt8]
    var status: Int
    var headers: [String]
    var pieces: [[UInt8]]

    /// Fills an exchange.
    ///
    /// - Parameter mark: The value of the header field that identifies the response.
    init(_ exchange: CorpusExchange, _ template: inout CorpusTemplate, mark: String) {
        let (request, response) = (exchange.request, exchange.response)
        method = request.method ?? "GET"
        url = template.fill(request.url)
        requestHeaders = (request.headers ?? []).map { template.fill($0) }
        requestBody = request.body.map { CorpusSpelling.encode(template.fill($0), request.encoding) } ?? []
        status = response?.status ?? 200
        headers = ["X-Example: \(mark)"] + (response?.headers ?? []).map { template.fill($0) }
        pieces = (response?.chunks ?? []).map { CorpusSpelling.encode(template.fill($0), response?.encoding) }
        if let body = response?.body { pieces.append(CorpusSpelling.encode(template.fill(body), response?.encoding)) }
        if let cut = response?.cut {
            let bytes = Array(pieces.joined())
            pieces = stride(from: 0, to: bytes.count, by: cut).map { Array(bytes[$0..<min($0 + cut, bytes.count)]) }
        }
    }

    /// The parts of the exchange without the mark, with bodies decompressed and in UTF-8.
    var parts: [(name: String, bytes: [UInt8])] {
        var parts = [("URL", Array(url.utf8))]
        parts += requestHeaders.map { ("request header \($0.prefix { $0 != ":" })", Array($0.utf8)) }
        parts.append(("request body", CorpusViews.plain(requestBody)))
        parts += headers.dropFirst().map { ("response header \($0.prefix { $0 != ":" })", Array($0.utf8)) }
        parts.append(("response body", CorpusViews.plain(Array(pieces.joined()))))
        return parts.filter { !$0.1.isEmpty }
    }

    /// Everything that a client sends.
    var sent: [[UInt8]] { [Array(url.utf8), requestBody] + requestHeaders.map { Array($0.utf8) } }
}

extension CassetteRecorder {
    /// Records an exchange from start to end.
    func record(_ exchange: FilledExchange) {
        var time = Duration.seconds(1)
        let request = RecordedRequest(
            method: exchange.method,
            url: exchange.url,
            headers: exchange.requestHeaders.compactMap { HeaderLine($0) }
        )
        let recording = begin(request, at: time)
        if !exchange.requestBody.isEmpty { recording.requestBytes(exchange.requestBody) }
        recording.requestEnd(at: time)
        let lines = exchange.headers.compactMap { HeaderLine($0) }
        recording.head(status: exchange.status, reason: "", headers: lines, at: time)
        for piece in exchange.pieces {
            time += .milliseconds(1)
            recording.bytes(piece, endsChunk: true, at: time)
        }
        recording.end(.complete, at: time)
    }
}
