// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseRedaction
internal import RepriseStorage

/// Writes the exchanges of the recording log to its cassette. At any moment a complete cassette exists, either the old
/// one or the new one, and the log exists until the new cassette is in place. A mark in the log says that its exchanges
/// are in the new cassette, in case the process ends before it deletes the log.
struct CassetteFinishing {
    private let path: String
    private let log: RecordingLog
    private let folder: BodyFolder
    private let source: CassetteSource
    private var splice: CassetteSplice
    /// The body files that the cassette will name.
    private var needed: Set<String> = []
    /// The values that were identified as secrets during the recording.
    private let removal: SecretRemoval?
    /// Notes on entries that stay although they contain such a value.
    private(set) var notes: [String] = []

    /// Prepares the new cassette. Reads the existing file if any of its entries stay.
    init(
        cassette path: String,
        log: RecordingLog,
        configuration: CassetteRecorder.Configuration,
        standIns: StandIns,
        removal: SecretRemoval? = nil
    ) throws(RecordingError) {
        self.path = path
        self.log = log
        self.removal = removal
        folder = BodyFolder(cassette: path)
        // If nothing was recorded, keep the existing cassette.
        let hasNothing = log.places.isEmpty && FilePlace(path).exists
        let isKept = configuration.mode == .append || configuration.only != nil || hasNothing
        source = isKept ? try CassetteSource(path) : CassetteSource(replacing: path)
        splice = CassetteSplice(source, standIns: standIns)
        let format = try plan()
        splice.edit(source.edits(listing: standIns, format: format))
    }

    /// Returns the oldest format that can contain the new entries.
    private mutating func plan() throws(RecordingError) -> Cassette.Format {
        var format = Cassette.Format.one
        var replacing: [(selection: String, recorded: [(RecordingLog.Place, RecordedRequest)])] = []
        for place in log.places.sorted() {
            let entry = try log.entry(at: place)
            needed.formUnion(entry.bodies)
            format = max(format, entry.exchange.requiredFormat)
            guard let selection = entry.replaces, !source.entries.isEmpty else {
                splice.append(place)
                continue
            }
            if let index = replacing.firstIndex(where: { $0.selection == selection }) {
                replacing[index].recorded.append((place, entry.exchange.request))
            } else {
                replacing.append((selection, [(place, entry.exchange.request)]))
            }
        }
        for (selection, recorded) in replacing {
            splice.replace(try RequestSelection(selection), by: recorded)
        }
        let removal = removal?.withoutStandIns
        for (number, exchange) in splice.kept {
            needed.formUnion(exchange.bodyFiles)
            if let removal, try contains(exchange, removal) {
                notes.append(
                    "\(path): entry \(number), from an earlier recording, contains a value that is a secret in this "
                        + "one; run: mockserver cassette redact \(path)"
                )
            }
        }
        try noteDamagedLines()
        return format
    }

    private func contains(_ exchange: Exchange, _ removal: SecretRemoval) throws(RecordingError) -> Bool {
        var copy = exchange
        copy.remove(removal.table, removal.replacement)
        guard copy == exchange else { return true }
        for name in exchange.bodyFiles {
            // A missing file is reported when the cassette is loaded.
            guard let file = try? StorageFile(folder.place(of: name).path, for: .reading) else { continue }
            let cuts = try RecordingError.onDisk(path) { () throws(FileError) in try ValueCuts(removal, in: file) }
            if !cuts.cuts.isEmpty { return true }
        }
        return false
    }

    /// Damaged lines are kept as they are, whatever they contain.
    private mutating func noteDamagedLines() throws(RecordingError) {
        let damaged = RecordingLog.damagedPath(forCassette: path)
        guard let removal = removal?.withoutStandIns, let file = try? StorageFile(damaged, for: .reading) else {
            return
        }
        let cuts = try RecordingError.onDisk(path) { () throws(FileError) in try ValueCuts(removal, in: file) }
        if !cuts.cuts.isEmpty { notes.append("\(damaged): contains a secret; delete this file") }
    }

    /// Writes the new cassette and replaces the old one. Do not call this twice: the second call would treat the new
    /// cassette as the old one.
    func write() throws(RecordingError) {
        // An empty cassette would be replayed in mode once, and answer nothing.
        guard !log.places.isEmpty else { return }
        let output: ReplacementFile
        do {
            try synchronizeBodies()
            // It may have been removed during the recording.
            try FilePlace(path).folder.makeFolder()
            output = try ReplacementFile(path)
        } catch {
            throw RecordingError(cassette: path, error)
        }
        var writer = EntryWriter(output, cassette: path)
        do {
            for part in splice.parts { try write(part, to: &writer) }
            try RecordingError.onDisk(path) { () throws(FileError) in
                // Without the mark, the exchanges of a log that survives a crash at this point would be added to the
                // cassette twice.
                try log.mark(cassette: try writer.output.close())
                try writer.output.commit()
            }
        } catch {
            output.discard()
            // Remove the mark, so that more entries can be appended.
            log.dropMark()
            throw error
        }
    }

    /// Removes files that are no longer needed. Can be called again.
    func removeLeftovers() throws(RecordingError) {
        do {
            // After the log is deleted, a system crash must not bring back the old cassette.
            try FilePlace(FixtureFileReader.realPath(of: path)).folder.synchronizeFolder()
            try folder.removeLeftovers(except: needed, temporaryOnly: false)
            try FilePlace(log.file.path).removeFile()
            try FilePlace(path).folder.synchronizeFolder()
        } catch {
            throw RecordingError(cassette: path, error)
        }
    }

    private func write(_ part: CassetteSplice.Part, to writer: inout EntryWriter) throws(RecordingError) {
        switch part {
        case .kept(let range):
            try RecordingError.onDisk(path) { () throws(FileError) in try writer.output.write(source.bytes[range]) }
        case .text(let bytes):
            try RecordingError.onDisk(path) { () throws(FileError) in try writer.output.write(bytes) }
        case .entries(let places, let style, let replaced):
            for (number, place) in places.enumerated() {
                var entry = try log.entry(at: place)
                if number > 0 { try write(.text(style.separator), to: &writer) }
                if let replaced { entry.exchange.note = source.cassette.exchanges[replaced].note }
                try writer.write(entry, style)
            }
        }
    }

    /// The cassette must not reach the disk before the body files that it names.
    private func synchronizeBodies() throws(FileError) {
        guard !needed.isEmpty else { return }
        for name in needed.sorted() { try StorageFile(folder.place(of: name).path, for: .reading).synchronize() }
        try FilePlace(folder.path).synchronizeFolder()
    }
}

extension RecordingError {
    /// Runs `body` and rethrows its disk errors as errors of the cassette at `path`.
    static func onDisk<Value>(_ path: String, _ body: () throws(FileError) -> Value) throws(RecordingError) -> Value {
        do {
            return try body()
        } catch {
            throw RecordingError(cassette: path, error)
        }
    }
}
