// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseMatching
internal import RepriseText

/// The stand-ins of a cassette, which a search for secrets must not find: a text can have the shape of a secret.
struct HiddenStandIns {
    private let texts: StandInTexts

    /// Creates the texts of a cassette. Returns `nil` if it has none.
    init?(_ cassette: Cassette) {
        let standIns = (cassette.standIns ?? []).filter { $0.literal == nil }
        guard !standIns.isEmpty else { return nil }
        texts = StandInTexts(standIns, file: "")
    }

    /// Returns an exchange with the same marker in place of the texts.
    func hidden(in exchange: Exchange) -> Exchange {
        var exchange = exchange
        exchange.request.url = String(decoding: hidden(in: Array(exchange.request.url.utf8)), as: UTF8.self)
        exchange.request.headers = exchange.request.headers.map(hidden(in:))
        exchange.request.trailers = exchange.request.trailers.map(hidden(in:))
        if let body = exchange.request.body?.source { exchange.request.body?.source = hidden(in: body) }
        guard case .response(var response) = exchange.outcome else { return exchange }
        response.headers = response.headers.map(hidden(in:))
        response.trailers = response.trailers.map(hidden(in:))
        switch response.content {
        case .none: break
        case .body(var body):
            body.source = hidden(in: body.source)
            response.content = .body(body)
        case .stream(var steps):
            for index in steps.indices {
                if case .bytes(let bytes) = steps[index].event { steps[index].event = .bytes(hidden(in: bytes)) }
            }
            response.content = .stream(steps)
        }
        exchange.outcome = .response(response)
        return exchange
    }

    /// Returns the bytes of a file with spaces in place of the texts, so that everything else keeps its position.
    func blanked(in bytes: [UInt8]) -> [UInt8] {
        var blanked = bytes
        for range in texts.ranges(in: bytes.span) {
            for index in range { blanked[index] = 0x20 }
        }
        return blanked
    }

    private func hidden(in line: HeaderLine) -> HeaderLine {
        let bytes = hidden(in: line.bytes)
        guard bytes != line.bytes, let hidden = HeaderLine(bytes: bytes) else { return line }
        // Without its credentials, a scheme is no secret.
        let words = hidden.value.split(separator: " ")
        guard words.count == 2, words[1] == RedactionMarker.plain else { return hidden }
        return HeaderLine(name: line.name, value: RedactionMarker.plain)
    }

    private func hidden(in source: ByteSource) -> ByteSource {
        switch source {
        case .bytes(let bytes): return .bytes(hidden(in: bytes))
        case .file(let file):
            guard file.size <= FixtureLoader.inMemoryStreamLimit, let bytes = BodyPattern.contents(of: file) else {
                return source
            }
            return .bytes(hidden(in: bytes))
        }
    }

    private func hidden(in bytes: [UInt8]) -> [UInt8] {
        if bytes.prefix(8).contains(0), let hidden = hiddenInUTF16(bytes) { return hidden }
        var hidden: [UInt8] = []
        var copied = 0
        for range in texts.ranges(in: bytes.span) {
            hidden += bytes[copied..<range.lowerBound] + RedactionMarker.plain.utf8
            copied = range.upperBound
        }
        return copied == 0 ? bytes : hidden + bytes[copied...]
    }

    /// Hides the texts in UTF-16. Returns `nil` if there are none.
    private func hiddenInUTF16(_ bytes: [UInt8]) -> [UInt8]? {
        // An ASCII character is the first of two bytes (little-endian) or the second one (big-endian).
        for place in 0...1 {
            let narrow = stride(from: place, to: bytes.count, by: 2).map { bytes[$0] }
            var hidden: [UInt8] = []
            var copied = 0
            for range in texts.ranges(in: narrow.span)
            where range.allSatisfy({ 2 * $0 + 1 < bytes.count && bytes[2 * $0 + 1 - place] == 0 }) {
                hidden += bytes[copied..<2 * range.lowerBound]
                for byte in RedactionMarker.plain.utf8 { hidden += place == 0 ? [byte, 0] : [0, byte] }
                copied = 2 * range.upperBound
            }
            if copied > 0 { return hidden + bytes[copied...] }
        }
        return nil
    }
}
