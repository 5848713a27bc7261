// SPDX-License-Identifier: Apache-2.0

private import RepriseHashing
internal import RepriseStorage
internal import RepriseText

/// The append-only file beside a cassette that stores recorded exchanges until they are in the cassette. It has one
/// line per exchange, in the order in which they ended, and is locked while it is open.
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

    /// The content of the log that an interrupted recording left.
    struct Leftovers {
        /// The number of exchanges.
        var count = 0
        /// The number of lines that could not be read.
        var unreadableLines = 0
        /// The files in the bodies folder that the exchanges need.
        var files: Set<String> = []
        /// The number of bytes in the log that belong to the leftovers.
        var size = 0
    }

    /// The entries, in the order in which they were added.
    private(set) var places: [Place] = []
    /// The content of the file when it was opened.
    private(set) var leftovers = Leftovers()
    let file: StorageFile
    private let cassette: String
    /// The offset for the next entry. The lock guarantees that no other process writes to the file.
    private var end = 0

    /// The path of the log of the cassette at `path`.
    static func path(forCassette path: String) -> String { path + ".recording-log" }

    /// Opens the log of the cassette at `path` and reads its content.
    init(cassette path: String) throws(RecordingError) {
        cassette = path
        let file: StorageFile?
        do {
            file = try Self.lockedFile(Self.path(forCassette: path))
        } catch {
            throw RecordingError(cassette: path, error)
        }
        guard let file else { throw RecordingError(busy: path) }
        self.file = file
        do {
            try readLeftovers()
        } catch {
            throw RecordingError(cassette: path, error)
        }
    }

    /// The ordinal for the next exchange.
    var nextOrdinal: Int { (places.map(\.ordinal).max() ?? -1) + 1 }

    /// Appends a line. It is handed to the operating system, so it survives the end of this process.
    mutating func append(_ line: [UInt8], ordinal: Int) throws(FileError) {
        let slice = line[...]
        do throws(FileError) {
            try file.append(slice.span)
        } catch {
            // Remove a partial line. The next line would be appended to it.
            try? file.truncate(to: end)
            throw error
        }
        places.append(Place(ordinal: ordinal, offset: end, length: line.count))
        end += line.count
    }

    /// Adds a mark, which means that all entries are in the cassette if the cassette's SHA-256 is `hash`.
    func mark(cassette hash: String) throws(FileError) {
        let line = Array("{\"cassette\": \"\(hash)\"}\n".utf8)[...]
        try file.append(line.span)
        try file.synchronize()
    }

    /// Removes the mark written by ``mark(cassette:)``, even if it is incomplete.
    func dropMark() {
        try? file.truncate(to: end)
    }

    /// Removes the leftovers from the entries but keeps them in the file.
    mutating func excludeLeftovers() {
        places = []
    }

    /// Discards the entries added since the file was opened.
    func forget() throws(FileError) {
        if leftovers.count > 0 { return try file.truncate(to: leftovers.size) }
        try FilePlace(file.path).removeFile()
    }

    /// Reads the entry at `place`.
    func entry(at place: Place) throws(RecordingError) -> Entry {
        let line: [UInt8]
        do {
            line = try file.read(at: place.offset, count: place.length)
        } catch {
            throw RecordingError(cassette: cassette, error)
        }
        guard let entry = Entry(line: line, cassette: cassette) else {
            throw RecordingError(
                "\(file.path): expected the exchange written at byte \(place.offset), found other content; "
                    + "restore the log and the files of \(BodyFolder(cassette: cassette).path)"
            )
        }
        return entry
    }

    private static func lockedFile(_ path: String) throws(FileError) -> StorageFile? {
        while true {
            let file = try StorageFile(path, for: .appending)
            guard try file.lock() else { return nil }
            // The previous owner of the lock may have deleted the file just before.
            if file.isInPlace { return file }
        }
    }

    /// Returns the hash in a mark, or `nil` if the line is not a mark.
    private static func mark(_ line: [UInt8]) -> String? {
        let (prefix, suffix) = ("{\"cassette\": \"", "\"}\n")
        let hash = line.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
        guard hash.count == 64, line.starts(with: prefix.utf8) else { return nil }
        return String(decoding: hash, as: UTF8.self)
    }

    /// The SHA-256 of the current cassette.
    private var cassetteHash: String? {
        guard let file = try? StorageFile(cassette, for: .reading) else { return nil }
        var hash = SHA256()
        var offset = 0
        while let block = try? file.read(at: offset, count: ByteInput.blockSize)[...], !block.isEmpty {
            hash.append(block.span)
            offset += block.count
        }
        return hash.hexadecimal
    }

    private mutating func readLeftovers() throws(FileError) {
        var line: [UInt8] = []
        var offset = 0
        while case let block = try file.read(at: offset, count: ByteInput.blockSize), !block.isEmpty {
            var start = 0
            while let end = block[start...].firstIndex(of: 0x0A) {
                line += block[start...end]
                take(line, at: offset + end + 1 - line.count)
                line = []
                start = end + 1
            }
            line += block[start...]
            offset += block.count
        }
        end = offset - line.count
        leftovers.size = end
        guard !line.isEmpty else { return }
        leftovers.unreadableLines += 1
        try file.truncate(to: end)
    }

    private mutating func take(_ line: [UInt8], at offset: Int) {
        if let hash = Self.mark(line) {
            // The recording ended after it replaced the cassette and before it deleted the log.
            if hash == cassetteHash { (places, leftovers) = ([], Leftovers()) }
            return
        }
        guard let entry = Entry(line: line, cassette: cassette) else {
            leftovers.unreadableLines += 1
            return
        }
        places.append(Place(ordinal: entry.ordinal, offset: offset, length: line.count))
        leftovers.count += 1
        leftovers.files.formUnion(entry.bodies)
        if let steps = entry.steps { leftovers.files.formUnion([steps.bytes, steps.pace]) }
    }
}
