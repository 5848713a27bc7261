// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseRedaction
internal import RepriseStorage

/// Puts the recording's log into its cassette. At any moment there is a whole cassette, the old one or the new one, and
/// until it is the new one, there is the log. When it is, the log says so, until it is gone too.
struct CassetteFinishing {
    private let path: String
    private let log: RecordingLog
    private let folder: BodyFolder
    private let source: CassetteSource
    private var splice: CassetteSplice
    /// The body files that the cassette will name.
    private var needed: Set<String> = []
    private let removal: Removal?

    /// What was found to be a secret in the course of the recording, and is taken out of what was recorded before.
    struct Removal {
        let table: RemovedValueTable
        let markers: [[UInt8]]
    }

    /// What there is to do, if the file of the cassette is to stay, it is read for that.
    init(
        cassette path: String,
        log: RecordingLog,
        configuration: CassetteRecorder.Configuration,
        removal: Removal? = nil
    ) throws(RecordingError) {
        self.path = path
        self.log = log
        self.removal = removal
        folder = BodyFolder(cassette: path)
        // With nothing recorded there is nothing to put in the place of what is there.
        let hasNothing = log.places.isEmpty && FilePlace(path).exists
        let isKept = configuration.mode == .append || configuration.only != nil || hasNothing
        source = isKept ? try CassetteSource(path) : CassetteSource(replacing: path)
        splice = CassetteSplice(source)
        try plan()
    }

    private mutating func plan() throws(RecordingError) {
        var replacing: [(selection: String, recorded: [(RecordingLog.Place, RecordedRequest)])] = []
        for place in log.places.sorted() {
            let entry = try log.entry(at: place)
            needed.formUnion(entry.bodies)
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
        for exchange in splice.kept { needed.formUnion(exchange.bodyFiles) }
    }

    /// Writes the cassette, and puts it in the place of the old one. Not to be done twice: what is there would be taken
    /// for the old one.
    func write() throws(RecordingError) {
        guard !log.places.isEmpty || source.bytes == CassetteSource.empty else { return }
        let output: ReplacementFile
        do {
            try synchronizeBodies()
            output = try ReplacementFile(path)
        } catch {
            throw RecordingError(cassette: path, error)
        }
        var writer = EntryWriter(output, cassette: path)
        do {
            for part in splice.parts { try write(part, to: &writer) }
            try RecordingError.onDisk(path) { () throws(FileError) in
                // Without the mark, a log that outlives this moment would be taken in twice.
                try log.mark(cassette: try writer.output.close())
                try writer.output.commit()
            }
        } catch {
            output.discard()
            // Entries may follow where it stands.
            log.dropMark()
            throw error
        }
    }

    /// Removes what nobody needs any more. May be done again.
    func removeLeftovers() throws(RecordingError) {
        do {
            // The old cassette must not come back after the log is gone.
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
                if let removal { entry.exchange.remove(removal.table, markers: removal.markers) }
                if let replaced { entry.exchange.note = source.cassette.exchanges[replaced].note }
                try writer.write(entry, style)
            }
        }
    }

    /// The cassette must not be on the disk before what it names.
    private func synchronizeBodies() throws(FileError) {
        guard !needed.isEmpty else { return }
        for name in needed.sorted() { try StorageFile(folder.place(of: name).path, for: .reading).synchronize() }
        try FilePlace(folder.path).synchronizeFolder()
    }
}

extension RecordingError {
    /// Does `body`, whose errors are those of the disk under the cassette at `path`.
    static func onDisk<Value>(_ path: String, _ body: () throws(FileError) -> Value) throws(RecordingError) -> Value {
        do {
            return try body()
        } catch {
            throw RecordingError(cassette: path, error)
        }
    }
}
