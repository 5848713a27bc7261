// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
internal import RepriseMatching
package import RepriseText

/// Replaces the stand-ins in a response for which clients receive something else (``StandIn/received``): the literal
/// that the recorded server sent, or a few digits.
package struct ReceivedTexts: Sendable {
    private let texts: StandInTexts
    /// What clients receive, by the numbers of the texts.
    private let received: [[UInt8]]
    private let contents: @Sendable (FileSource) -> [UInt8]?

    /// Creates a replacement. Returns `nil` if a table has no such stand-ins.
    ///
    /// - Parameter contents: Reads a body from a file. If it returns `nil`, the file is played as it is.
    package init?(
        _ cassette: Cassette,
        contents: @escaping @Sendable (FileSource) -> [UInt8]? = { BodyPattern.contents(of: $0) }
    ) {
        let standIns = (cassette.standIns ?? []).filter { $0.received != Array($0.text.utf8) }
        if standIns.isEmpty { return nil }
        texts = StandInTexts(standIns, file: "")
        received = standIns.map(\.received)
        let hasLiterals = standIns.contains { $0.literal != nil }
        self.contents = { file in
            hasLiterals || file.size <= FixtureLoader.inMemoryStreamLimit ? contents(file) : nil
        }
    }

    /// Returns an exchange with what clients receive in its response.
    package func applied(to exchange: Exchange) -> Exchange {
        guard case .response(var response) = exchange.outcome else { return exchange }
        response.reasonBytes = applied(to: response.reasonBytes)
        response.headers = response.headers.map(applied(to:))
        response.trailers = response.trailers.map(applied(to:))
        for index in response.informational.indices {
            response.informational[index].headers = response.informational[index].headers.map(applied(to:))
        }
        switch response.content {
        case .none: break
        case .body(let body): response.content = .body(applied(to: body))
        case .stream(var steps):
            for index in steps.indices {
                if case .bytes(let bytes) = steps[index].event { steps[index].event = .bytes(applied(to: bytes)) }
            }
            response.content = .stream(steps)
        }
        var applied = exchange
        applied.outcome = .response(response)
        return applied
    }

    private func applied(to line: HeaderLine) -> HeaderLine {
        let bytes = applied(to: line.bytes)
        return bytes == line.bytes ? line : HeaderLine(bytes: bytes) ?? line
    }

    private func applied(to body: RecordedBody) -> RecordedBody {
        let bytes: [UInt8]
        switch body.source {
        case .bytes(let known): bytes = known
        case .file(let file):
            guard let read = contents(file) else { return body }
            bytes = read
        }
        // A text never continues in another chunk.
        var start = 0
        let pieces = ((body.chunks ?? []) + [bytes.count]).map { size in
            let end = size < bytes.count - start ? start + size : bytes.count
            defer { start = end }
            return applied(to: Array(bytes[start..<end]))
        }
        let joined = Array(pieces.joined())
        guard joined != bytes else { return body }
        var received = body
        received.source = .bytes(joined)
        received.chunks = body.chunks.map { _ in pieces.dropLast().map(\.count) }
        return received
    }

    private func applied(to bytes: [UInt8]) -> [UInt8] {
        var applied: [UInt8] = []
        var copied = 0
        for mask in texts.masks(in: bytes.span) {
            guard let number = mask.standIn.map(Int.init) else { continue }
            let found = bytes[mask.range]
            let text = texts.entries[number].text.utf8
            var new = received[number]
            if found.count == 2 * text.count, found.contains(0) {
                new = new.flatMap { found.first == 0 ? [0, $0] : [$0, 0] }
            } else if !found.elementsEqual(text) {
                continue
            }
            applied += bytes[copied..<mask.range.lowerBound] + new
            copied = mask.range.upperBound
        }
        return copied == 0 ? bytes : applied + bytes[copied...]
    }
}
