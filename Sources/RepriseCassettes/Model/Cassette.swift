// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// Recorded exchanges, in the order in which their requests started.
package struct Cassette: Sendable, Hashable {
    /// The exchanges.
    package var exchanges: [Exchange]
    /// The texts that stand for values of the traffic. `nil` in format 1, in which every ``RedactionMarker`` stands for
    /// any value. In format 2, only the listed texts stand for something.
    package var standIns: [StandIn]?
    /// A note by the author of the file.
    package var note: String?

    /// A version of the format.
    package enum Format: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// Without a table of stand-ins. Written where nothing else is needed.
        case one = 1
        /// With a table of stand-ins, and with everything that a recorder takes from the wire.
        case two = 2

        /// The latest format that this release reads.
        package static let latest = two

        /// Whether `left` is older than `right`.
        package static func < (left: Format, right: Format) -> Bool { left.rawValue < right.rawValue }
    }

    /// Creates a cassette that holds `exchanges`.
    package init(exchanges: [Exchange] = [], standIns: [StandIn]? = nil, note: String? = nil) {
        self.exchanges = exchanges
        self.standIns = standIns
        self.note = note
    }

    /// The format in which the cassette is written.
    package var format: Format {
        standIns != nil || exchanges.contains { $0.requiredFormat == .two } ? .two : .one
    }
}

extension Cassette {
    /// Returns this cassette with a table. In a cassette without one, all markers without a number keep their meaning.
    ///
    /// - Parameter contents: Reads a body from a file. If it returns `nil`, only `[redacted]` is looked for there.
    package func listingMarkers(contents: (FileSource) -> [UInt8]? = { _ in nil }) -> Cassette {
        guard standIns == nil else { return self }
        var texts = MarkerTexts()
        for exchange in exchanges { texts.add(exchange, contents) }
        var copy = self
        copy.standIns = texts.list.map { StandIn($0) }
        return copy
    }
}

/// The markers without a number in a cassette of format 1, in order of appearance.
private struct MarkerTexts {
    private(set) var list: [String] = []
    private var known: Set<String> = []

    /// Adds the markers of the parts in which they have a meaning: those of a request.
    mutating func add(_ exchange: Exchange, _ contents: (FileSource) -> [UInt8]?) {
        add(Array(exchange.request.url.utf8))
        for line in exchange.request.headers { add(line.bytes) }
        switch exchange.request.body?.source {
        case .bytes(let bytes)?: add(bytes)
        case .file(let file)?: add(contents(file) ?? Array(RedactionMarker.plain.utf8))
        case nil: break
        }
    }

    private mutating func add(_ bytes: [UInt8]) {
        for range in RedactionMarker.ranges(in: bytes.span, withNumbers: false) {
            let text = RedactionMarker.text(bytes[range])
            if known.insert(text).inserted { list.append(text) }
        }
    }
}

extension Exchange {
    /// The oldest format that can contain this exchange.
    package var requiredFormat: Cassette.Format {
        if !request.trailers.isEmpty { return .two }
        guard case .response(let response) = outcome else { return .one }
        if !response.informational.isEmpty { return .two }
        guard case .stream(let steps) = response.content, case .end(.cancelled)? = steps.last?.event else {
            return .one
        }
        return .two
    }
}
