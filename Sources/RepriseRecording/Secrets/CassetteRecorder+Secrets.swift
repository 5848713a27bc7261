// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseLocking
package import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

/// What a recorder knows about secrets that may be in the text that it wrote before they were named.
///
/// A value is *named* when it is identified as a secret, by the name of its field or by its own form.
struct WrittenText {
    /// The number of values in the memory that were looked for.
    var known = 0
    /// The words of all that was written, once a value was named.
    var words: WrittenWords?
    /// The values of the interrupted recording that this one continues.
    var fingerprints: FingerprintSearch
    /// The body files that were replaced by others without secrets.
    var replacements: [String: EntryCleaning.Replacement] = [:]
}

extension CassetteRecorder {
    /// The secrets of the process.
    package var memory: SecretMemory { standIns.memory }

    /// The words of all that was written, once a value was named.
    var words: WrittenWords? { state.withLock { $0.written.words } }

    /// The values to remove from what was written, if there are any.
    var removal: SecretRemoval? {
        memory.table.map { SecretRemoval(table: $0, replacement: redaction.replacement) }
    }

    /// Remembers values in `entry` of which only a fingerprint is known.
    ///
    /// They are then removed like those that this recorder saw named.
    func recognizeValues(in entry: RecordingLog.Entry) throws(FileError) {
        guard var search = state.withLock({ $0.written.fingerprints.isEmpty ? nil : $0.written.fingerprints }) else {
            return
        }
        var values: [[UInt8]] = []
        entry.exchange.forEachText { text in
            values += search.values(in: text)
            DecodedSpellings.forEach(in: text) { values += search.values(in: $0) }
        }
        for name in entry.textFiles {
            try folder.forEachBlock(of: name, overlap: search.longest + 1) { block in
                values += search.values(in: block)
                DecodedSpellings.forEach(in: block) { values += search.values(in: $0) }
            }
            if let decoded = try folder.decoded(name, of: entry.exchange) { values += search.values(in: decoded) }
        }
        guard !values.isEmpty else { return }
        for value in values { memory.remember(value) }
        state.withLock { $0.written.fingerprints = search }
    }
}

extension CassetteRecorder.State {
    /// Removes the values that were named since the last call from everything that was written, and writes their
    /// fingerprints and the new stand-ins. Call this before an exchange is written that may have named them.
    ///
    /// Nothing changes in memory if this fails, so it can be called again.
    ///
    /// - Parameter known: The number of secrets that `removal` contains. Another thread can name more at any time,
    ///   which the next call looks for.
    mutating func removeNamedValues(
        _ standIns: StandIns,
        _ removal: SecretRemoval?,
        known: Int,
        _ folder: BodyFolder
    ) throws(FileError) {
        try log(standIns)
        guard known > written.known, let removal, log != nil else { return }
        let named = standIns.memory.values(after: written.known, upTo: known)
        try readWords(folder)
        let isWritten = named.contains { spellings in
            spellings.contains { written.words?.mayContain($0) ?? true }
        }
        if isWritten { try clean(removal, standIns, folder) }
        let salt = log?.salt ?? []
        let fingerprints = Set(
            named.joined().filter { SecretFingerprint.isSuitable($0[...]) }
                .map { SecretFingerprint(of: $0[...], salt: salt) }
        )
        if !fingerprints.isEmpty { try log?.append(named: fingerprints.sorted()) }
        written.known = known
    }

    private mutating func log(_ standIns: StandIns) throws(FileError) {
        guard var log = log.take() else { return }
        defer { self.log = log }
        try write(standIns, to: &log)
    }

    private mutating func write(_ standIns: StandIns, to log: inout RecordingLog) throws(FileError) {
        let new = standIns.listed(after: loggedStandIns)
        guard !new.isEmpty else { return }
        try log.append(Array(new))
        loggedStandIns += new.count
    }

    /// Removes the values from all entries and their files.
    mutating func clean(_ removal: SecretRemoval, _ standIns: StandIns, _ folder: BodyFolder) throws(FileError) {
        guard var log else { return }
        self.log = nil
        defer { self.log = log }
        var cleaning = EntryCleaning(removal, folder, replacements: written.replacements)
        // Whatever happens, what was replaced is known to exchanges that have not been written.
        defer { written.replacements = cleaning.replacements }
        for place in log.places + log.excluded + log.open.values.sorted() {
            // An entry whose file was removed cannot be used, and is reported when the cassette is written.
            guard var entry = try? log.entry(at: place) else { continue }
            // What an interrupted recording left no longer changes.
            if log.open[place.ordinal] != place { entry.isOpen = false }
            guard try cleaning.clean(&entry) else { continue }
            // A value that another recorder named gets its stand-in here only when it is found.
            try write(standIns, to: &log)
            try log.replace(place, with: entry)
        }
        try Self.remove(cleaning.replaced, from: folder, log)
    }

    /// Removes files that were replaced, unless something still names them.
    private static func remove(
        _ names: Set<String>,
        from folder: BodyFolder,
        _ log: RecordingLog
    ) throws(FileError) {
        guard !names.isEmpty else { return }
        // If the cassette cannot be read, the files stay until the recording ends.
        guard let source = try? CassetteSource(log.cassette) else { return }
        var needed = Set(source.cassette.exchanges.flatMap(\.bodyFiles))
        for place in log.places + log.excluded { needed.formUnion((try? log.entry(at: place))?.files ?? []) }
        for name in names.subtracting(needed) { try folder.place(of: name).removeFile() }
    }

    /// Notes what was replaced in an entry that is now written, and removes the replaced files.
    mutating func finish(_ cleaning: EntryCleaning?, _ folder: BodyFolder) throws(FileError) {
        guard let cleaning, let log else { return }
        written.replacements.merge(cleaning.replacements) { $1 }
        try Self.remove(cleaning.replaced, from: folder, log)
    }

    /// Reads the words of everything that was written before the first value was named.
    private mutating func readWords(_ folder: BodyFolder) throws(FileError) {
        guard written.words == nil, let log else { return }
        let words = WrittenWords()
        for place in log.places + log.excluded + log.open.values {
            if let entry = try? log.entry(at: place) { words.insert(entry, folder) }
        }
        written.words = words
    }
}

extension RecordingLog.Entry {
    /// The names of the files with text that was sent or received.
    var textFiles: [String] { bodies + (steps.map { [$0.bytes] } ?? []) }
}

extension BodyFolder {
    /// Returns the content of a file with a compressed body; `nil` for any other.
    func decoded(_ name: String, of exchange: Exchange) throws(FileError) -> [UInt8]? {
        guard case .response(let response) = exchange.outcome, case .body(let body) = response.content,
            case .file(let source) = body.source, source.name == name, !response.headers.contentCodings.isEmpty
        else { return nil }
        let file = try StorageFile(place(of: name).path, for: .reading)
        return CodedBody.decoded(try file.content(), headers: response.headers)
    }

    /// Calls `body` with the content of a file, block by block. Each block starts with the last bytes of the one
    /// before.
    func forEachBlock(of name: String, overlap: Int, _ body: ([UInt8]) -> Void) throws(FileError) {
        var block: [UInt8] = []
        try StorageFile(place(of: name).path, for: .reading).forEachBlock { next in
            block = block.suffix(overlap) + next
            body(block)
        }
    }
}
