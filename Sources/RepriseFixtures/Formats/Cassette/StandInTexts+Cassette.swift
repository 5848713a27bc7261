// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
package import RepriseMatching
package import RepriseText

extension StandInTexts {
    /// Creates the texts of a cassette's table. Returns `nil` for a cassette without one, of format 1.
    package convenience init?(_ cassette: Cassette, file: String) {
        guard let standIns = cassette.standIns else { return nil }
        let texts = StandInTexts(standIns, file: file)
        var entries = texts.entries
        for entry in StandInOrigins(texts, cassette).handedOut { entries[entry].isHandedOut = true }
        self.init(entries, source: file)
    }

    /// Creates the texts of the table of the cassette at `file`.
    package convenience init(_ standIns: [StandIn], file: String) {
        self.init(
            standIns.map { standIn in
                let meaning: Meaning =
                    if let literal = standIn.literal { .literal(literal) } else {
                        standIn.hasIdentity ? .secret : .anyValue
                    }
                return Entry(standIn.text, meaning)
            },
            source: file
        )
    }
}

extension Cassette {
    /// Returns the fixtures of the exchanges.
    ///
    /// - Parameters:
    ///   - file: The name of the cassette's file, for messages.
    ///   - locations: The positions of the exchanges in the file, if they are known.
    ///   - keepsRecordings: Whether the fixtures keep their recordings.
    package func fixtures(
        file: String,
        locations: [FilePosition] = [],
        keepsRecordings: Bool = false
    ) -> [Fixture] {
        let standIns = StandInTexts(self, file: file)
        let literals = StandInLiterals(self)
        return exchanges.enumerated().map { index, exchange in
            Fixture(
                literals?.applied(to: exchange) ?? exchange,
                standIns: standIns,
                source: FixtureSource(file: file, location: index < locations.count ? locations[index] : nil),
                keepsRecording: keepsRecordings
            )
        }
    }
}

/// Replaces the stand-ins that stand for literals by these, as the client of the recorded server received them.
package struct StandInLiterals: Sendable {
    /// The texts and the literals.
    private let literals: [(text: [UInt8], literal: [UInt8])]
    private let contents: @Sendable (FileSource) -> [UInt8]?

    /// Creates a replacement. Returns `nil` if a table has no literals.
    ///
    /// - Parameter contents: Reads a body from a file. If it returns `nil`, the file is played as it is.
    package init?(
        _ cassette: Cassette,
        contents: @escaping @Sendable (FileSource) -> [UInt8]? = { BodyPattern.contents(of: $0) }
    ) {
        literals = (cassette.standIns ?? []).compactMap { standIn in
            standIn.literal.map { (Array(standIn.text.utf8), Array($0.utf8)) }
        }
        self.contents = contents
        if literals.isEmpty { return nil }
    }

    /// Returns an exchange with the literals in its response.
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
        case .body(var body):
            body.source = applied(to: body.source)
            response.content = .body(body)
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

    private func applied(to source: ByteSource) -> ByteSource {
        switch source {
        case .bytes(let bytes): return .bytes(applied(to: bytes))
        case .file(let file):
            guard let bytes = contents(file), case let applied = applied(to: bytes), applied != bytes else {
                return source
            }
            return .bytes(applied)
        }
    }

    private func applied(to bytes: [UInt8]) -> [UInt8] {
        var applied: [UInt8] = []
        var copied = 0
        var start = 0
        while let range = RedactionMarker.next(in: bytes.span, from: start) {
            start = range.upperBound
            guard let literal = literals.first(where: { bytes[range].elementsEqual($0.text) })?.literal else {
                continue
            }
            applied += bytes[copied..<range.lowerBound] + literal
            copied = range.upperBound
        }
        return copied == 0 ? bytes : applied + bytes[copied...]
    }
}
