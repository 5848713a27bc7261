// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
private import RepriseHashing
internal import RepriseStorage
internal import RepriseText

/// The file beside a cassette that stores recorded exchanges until they are in the cassette. It has one line per
/// exchange (``LogLine``) and is locked while it is open. The lines of exchanges that end in the same turn of a loop
/// can be written after those of other loops.
///
/// Lines are appended. A line is changed only to remove it, when a later one replaces it: then spaces overwrite it.
struct RecordingLog {
    /// The position of an entry in the file.
    struct Place: Hashable, Comparable {
        var ordinal: Int
        var offset: Int
        var length: Int

        static func < (one: Place, other: Place) -> Bool {
            (one.ordinal, one.offset) < (other.ordinal, other.offset)
        }
    }

    /// The entries, in the order in which they were added.
    private(set) var places: [Place] = []
    /// The entries of exchanges that have not ended, by ordinal.
    private(set) var open: [Int: Place] = [:]
    /// Entries of an earlier recording that this one replaces. They stay in the file until the recording ends.
    private(set) var excluded: [Place] = []
    /// The ordinal for the first exchange after those in the file.
    private(set) var nextOrdinal = 0
    /// The content of the file when it was opened.
    private(set) var leftovers = Leftovers()
    private(set) var salt: [UInt8]
    let file: StorageFile
    let cassette: String
    /// The offset for the next line. The lock guarantees that no other process writes to the file.
    private(set) var end = 0
    private var hasHeader = false
    /// Keeps the lock of the cassette itself, which has other paths if there are hard links to it.
    private let cassetteFile: StorageFile?

    static func path(forCassette path: String) -> String { path + suffix }

    static let suffix = ".recording-log"

    static func damagedPath(forCassette path: String) -> String { self.path(forCassette: path) + ".damaged" }

    init(cassette path: String) throws(RecordingError) {
        cassette = path
        let files = try RecordingError.onDisk(path) { () throws(FileError) in try Self.lockedFiles(path) }
        guard let files else { throw RecordingError(busy: path) }
        (file, cassetteFile) = files
        salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
        try RecordingError.onDisk(path) { () throws(FileError) in try readLeftovers() }
    }

    // MARK: Appending

    /// Appends an entry. It is handed to the operating system, so it survives the end of this process. It replaces
    /// the open entry with the same ordinal, if there is one.
    mutating func append(_ line: [UInt8], ordinal: Int) throws(FileError) {
        places.append(try write(line, ordinal: ordinal))
        // If this fails, the later entry applies nevertheless.
        if let place = open.removeValue(forKey: ordinal) { try? blank(place.offset, place.length) }
    }

    /// Appends entries with a single system call. Their exchanges must not have open entries in the log.
    mutating func append(_ lines: BufferedLogLines) throws(FileError) {
        var offset = try write(lines.bytes, ordinal: -1).offset
        for line in lines.places {
            places.append(Place(ordinal: line.ordinal, offset: offset, length: line.length))
            offset += line.length
        }
    }

    mutating func append(open line: [UInt8], ordinal: Int) throws(FileError) {
        open[ordinal] = try write(line, ordinal: ordinal)
    }

    mutating func drop(open ordinal: Int) {
        // If this fails, a recovery keeps the exchange.
        if let place = open.removeValue(forKey: ordinal) { try? blank(place.offset, place.length) }
    }

    mutating func append(named fingerprints: [SecretFingerprint]) throws(FileError) {
        _ = try write(LogLine.named(fingerprints), ordinal: -1)
    }

    /// Appends entries of the table of stand-ins, before the lines that use them.
    mutating func append(_ standIns: [StandIn]) throws(FileError) {
        _ = try write(LogLine.standIns(standIns), ordinal: -1)
    }

    /// Appends stand-ins of the leftovers whose line was damaged. They are kept with the leftovers.
    mutating func append(recovered standIns: [StandIn]) throws(FileError) {
        try append(standIns)
        leftovers.size = end
    }

    /// Replaces the entry at `place` with `entry`. The new line is written before the old one is overwritten, so that
    /// a complete entry exists at any moment.
    mutating func replace(_ place: Place, with entry: Entry) throws(FileError) {
        var entry = entry
        entry.supersedes = place.offset
        guard let line = try? entry.line(cassette: cassette) else { return }
        let new = try write(line, ordinal: place.ordinal)
        try blank(place.offset, place.length)
        if let index = places.firstIndex(of: place) { places[index] = new }
        if let index = excluded.firstIndex(of: place) { excluded[index] = new }
        if open[place.ordinal] == place { open[place.ordinal] = new }
        if place.offset < leftovers.size { leftovers.isRewritten = true }
    }

    private mutating func write(_ line: [UInt8], ordinal: Int) throws(FileError) -> Place {
        let header = hasHeader ? [] : LogLine.header(salt: salt)
        let bytes = hasHeader ? line : header + line
        do throws(FileError) {
            try file.update(bytes.span, at: end)
        } catch {
            // Remove a partial line. The next line would be appended to it.
            try? file.truncate(to: end)
            throw error
        }
        hasHeader = true
        defer { end += bytes.count }
        return Place(ordinal: ordinal, offset: end + header.count, length: line.count)
    }

    /// Overwrites a line with spaces, except its line feed.
    private func blank(_ offset: Int, _ length: Int) throws(FileError) {
        let spaces = [UInt8](repeating: 0x20, count: max(0, length - 1))[...]
        try file.update(spaces.span, at: offset)
    }

    /// Adds a mark, which means that all entries are in the cassette if the cassette's SHA-256 is `hash`.
    func mark(cassette hash: String) throws(FileError) {
        let line = LogLine.mark(hash: hash)[...]
        try file.update(line.span, at: end)
        try file.synchronize()
    }

    /// Removes the mark written by ``mark(cassette:)``, even if it is incomplete.
    func dropMark() {
        try? file.truncate(to: end)
    }

    /// Removes the leftovers from the entries but keeps them in the file.
    mutating func excludeLeftovers() {
        excluded += places
        places = []
    }

    /// Discards the entries added since the file was opened.
    func forget() throws(FileError) {
        guard leftovers.count > 0 else {
            try FilePlace(file.path).removeFile()
            return
        }
        guard leftovers.isRewritten else { return try file.truncate(to: leftovers.size) }
        // Some entries of the leftovers are now after the new ones.
        for place in places.dropFirst(excluded.isEmpty ? leftovers.count : 0) + open.values {
            try blank(place.offset, place.length)
        }
    }

    // MARK: Reading

    func entry(at place: Place) throws(RecordingError) -> Entry {
        let line = try RecordingError.onDisk(cassette) { () throws(FileError) in
            try file.read(at: place.offset, count: place.length)
        }
        let json = LogLine.json(of: line[...]) ?? line[...]
        guard let entry = Entry(json: Array(json), cassette: cassette) else {
            throw RecordingError(
                "\(file.path): expected the exchange written at byte \(place.offset), found other content; "
                    + "restore the log and the files of \(BodyFolder(cassette: cassette).path)"
            )
        }
        return entry
    }

    private mutating func readLeftovers() throws(FileError) {
        var reader = RecordingLogReader(cassette: cassette, cassetteHash: Self.hash(of: cassette))
        try file.forEachBlock { reader.append($0) }
        reader.finish()
        places = reader.places
        hasHeader = reader.salt != nil
        if let salt = reader.salt { self.salt = salt }
        leftovers = reader.leftovers
        try setAside(leftovers.damaged)
        for place in reader.superseded { try blank(place.offset, place.length) }
        for place in leftovers.unfinished {
            guard let steps = (try? entry(at: place))?.steps else { continue }
            try BodyFolder(cassette: cassette).repair(steps)
        }
        // The next line must not be appended to a part of one.
        end = leftovers.size
        if try file.size > end { try file.truncate(to: end) }
        nextOrdinal = reader.lastOrdinal + 1
    }

    /// Copies damaged lines to a file of their own, and then removes them from the log.
    private mutating func setAside(_ damaged: [Range<Int>]) throws(FileError) {
        guard !damaged.isEmpty else { return }
        let aside = try StorageFile(Self.damagedPath(forCassette: cassette), for: .appending)
        for range in damaged {
            var line = try file.read(at: range.lowerBound, count: range.count)
            if LogLine.canListStandIns(inDamaged: line) { leftovers.mayLackStandIns = true }
            if line.last != 0x0A { line.append(0x0A) }
            try aside.append(line.span)
        }
        try aside.synchronize()
        for range in damaged { try blank(range.lowerBound, range.count) }
    }

    // MARK: Files

    /// Returns the log and the cassette, if it exists, both locked, or `nil` if another recorder has locked one of
    /// them.
    private static func lockedFiles(_ path: String) throws(FileError) -> (StorageFile, StorageFile?)? {
        while true {
            let file = try StorageFile(Self.path(forCassette: path), for: .updating)
            guard try file.lock() else { return nil }
            // The previous owner of the lock may have deleted the file just before.
            guard file.isInPlace else { continue }
            // What is no file, or unreadable, is reported elsewhere.
            guard let cassette = try? StorageFile(path, for: .reading) else { return (file, nil) }
            return try cassette.lock() ? (file, cassette) : nil
        }
    }

    private static func hash(of path: String) -> String? {
        guard let file = try? StorageFile(path, for: .reading) else { return nil }
        var hash = SHA256()
        try? file.forEachBlock { block in
            let slice = block[...]
            hash.append(slice.span)
        }
        return hash.hexadecimal
    }
}

extension RecordingLog {
    /// The content of the log that an interrupted recording left.
    struct Leftovers {
        var count = 0
        /// The exchanges among them that had not ended.
        var unfinished: [Place] = []
        /// The places of the lines that could not be read.
        var damaged: [Range<Int>] = []
        /// The files in the bodies folder that the exchanges need.
        var files: Set<String> = []
        /// The number of bytes in the log that belong to the leftovers.
        var size = 0
        /// The fingerprints of values that the interrupted recording redacted.
        var named: Set<SecretFingerprint> = []
        var standIns: [StandIn] = []
        /// Whether a damaged line might have listed stand-ins.
        var mayLackStandIns = false
        /// Whether an entry was replaced by one after ``size``.
        var isRewritten = false
    }
}
