// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
package import RepriseFixtures
internal import RepriseLocking
internal import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

extension CassetteRecorder {
    /// The exchanges left over from an earlier, interrupted recording, as fixtures to replay beside the cassette.
    /// They are added to the cassette by ``finish()``.
    ///
    /// - Throws: ``RecordingError`` if they cannot be read.
    package func leftovers() throws(RecordingError) -> [Fixture] {
        guard let log else { return [] }
        let table = log.leftovers.standIns.isEmpty ? nil : standIns.listed
        var cassette = Cassette(standIns: table)
        for place in log.places.prefix(log.leftovers.count).sorted() {
            var entry = try log.entry(at: place)
            if let steps = entry.steps {
                let before = try RecordingError.onDisk(path) { () throws(FileError) in
                    try folder.steps(steps)
                }
                entry.exchange.insert(before)
            }
            cassette.exchanges.append(entry.exchange)
        }
        return cassette.fixtures(file: path, keepsRecordings: true)
    }
}

extension CassetteRecorder {
    /// Lists the stand-ins of the leftovers. Their markers are not used again, whether or not something lists them.
    ///
    /// - Returns: The markers that are treated as stand-ins, because the line that listed them might be damaged.
    static func recover(_ standIns: StandIns, from log: inout RecordingLog) throws(RecordingError) -> [String] {
        standIns.list(log.leftovers.standIns)
        let folder = BodyFolder(cassette: log.cassette)
        var markers = FoundMarkers()
        for place in (log.places + log.excluded).sorted() {
            // An entry that cannot be read is reported when the cassette is written.
            guard let entry = try? log.entry(at: place) else { continue }
            markers.add(entry.exchange, files: entry.textFiles, in: folder)
        }
        standIns.reserve(markers.numbers)
        guard log.leftovers.mayLackStandIns else { return [] }
        let listed = Set(standIns.listed.map(\.text))
        let recovered = markers.texts.filter { RedactionMarker.number(of: $0) != nil && !listed.contains($0) }
        guard !recovered.isEmpty else { return [] }
        let table = recovered.map { StandIn($0) }
        standIns.list(table)
        // The damaged line is no longer in the log.
        do {
            try log.append(recovered: table)
        } catch {
            throw RecordingError(cassette: log.cassette, error)
        }
        return recovered
    }
}

extension BodyFolder {
    fileprivate func steps(_ spilled: RecordingLog.Entry.SpilledSteps) throws(FileError) -> [StreamStep] {
        var reader = ChunkLogReader(ByteInput(try StorageFile(place(of: spilled.pace).path, for: .reading)))
        let bytes = try StorageFile(place(of: spilled.bytes).path, for: .reading)
        var steps: [StreamStep] = []
        var offset = 0
        while let chunk = try reader.next() {
            steps.append(StreamStep(after: chunk.pause, .bytes(try bytes.read(at: offset, count: chunk.size))))
            offset += chunk.size
        }
        return steps
    }
}

extension Exchange {
    /// Inserts steps before those of the exchange's stream.
    fileprivate mutating func insert(_ steps: [StreamStep]) {
        guard case .response(var response) = outcome, case .stream(let last) = response.content else { return }
        response.content = .stream(steps + last)
        outcome = .response(response)
    }
}
