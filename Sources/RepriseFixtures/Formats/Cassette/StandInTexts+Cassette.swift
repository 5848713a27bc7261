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
                return Entry(standIn.text, meaning, received: standIn.received)
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
        let received = ReceivedTexts(self)
        return exchanges.enumerated().map { index, exchange in
            Fixture(
                received?.applied(to: exchange) ?? exchange,
                standIns: standIns,
                source: FixtureSource(file: file, location: index < locations.count ? locations[index] : nil),
                keepsRecording: keepsRecordings
            )
        }
    }
}
