// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// Reads a recording log block by block. It accepts any bytes: what is damaged is reported, and everything else is
/// read. Without I/O, except to find the body files that entries name.
struct RecordingLogReader {
    /// The entries that apply, in the order in which they were added.
    private(set) var places: [RecordingLog.Place] = []
    /// What else belongs to these entries, and what is damaged.
    private(set) var leftovers = RecordingLog.Leftovers()
    /// Lines that a later one replaces.
    private(set) var superseded: [RecordingLog.Place] = []
    /// The salt, or `nil` if the log has no header.
    private(set) var salt: [UInt8]?
    /// The highest ordinal of all entries, also of those that do not apply.
    private(set) var lastOrdinal = -1

    private let cassette: String
    private let cassetteHash: String?
    private var line: [UInt8] = []
    /// The offset of ``line``.
    private var offset = 0
    private var entries: [Int: Found] = [:]
    private var order: [Int] = []
    /// The offsets of entries of exchanges that had not ended, by ordinal.
    private var open: [Int: Int] = [:]
    private var supersededOffsets: Set<Int> = []

    /// An entry that applies unless a later one replaces it.
    private struct Found {
        var place: RecordingLog.Place
        var isOpen: Bool
        var files: [String]
    }

    /// - Parameter hash: The SHA-256 of the current cassette, if it exists.
    init(cassette path: String, cassetteHash hash: String?) {
        cassette = path
        cassetteHash = hash
    }

    mutating func append(_ block: [UInt8]) {
        var start = 0
        while let end = block[start...].firstIndex(of: 0x0A) {
            line += block[start...end]
            endLine()
            start = end + 1
        }
        line += block[start...]
    }

    mutating func finish() {
        leftovers.size = offset
        if !line.isEmpty { endLine() }
        // The process can end while it overwrites a line that is no longer needed.
        leftovers.damaged.removeAll { range in
            guard supersededOffsets.contains(range.lowerBound) else { return false }
            superseded.append(RecordingLog.Place(ordinal: -1, offset: range.lowerBound, length: range.count))
            return true
        }
        for offset in order {
            guard let found = entries.removeValue(forKey: offset) else { continue }
            places.append(found.place)
            leftovers.files.formUnion(found.files)
            if found.isOpen { leftovers.unfinished.append(found.place) }
        }
        leftovers.count = places.count
    }

    private mutating func endLine() {
        read(line[...], at: offset)
        offset += line.count
        line.removeAll(keepingCapacity: true)
    }

    private mutating func read(_ line: ArraySlice<UInt8>, at offset: Int) {
        // Spaces replace lines that are no longer needed.
        let spaces = line.prefix { $0 == 0x20 }.count
        let line = line.dropFirst(spaces)
        let offset = offset + spaces
        guard !line.isEmpty, line.first != 0x0A else { return }
        if let content = content(of: line) { return take(content, at: offset, line.count) }
        let end = LogLine.start(inDamaged: line) ?? line.endIndex
        leftovers.damaged.append(offset..<offset + (end - line.startIndex))
        if end < line.endIndex { read(line[end...], at: offset + (end - line.startIndex)) }
    }

    private func content(of line: ArraySlice<UInt8>) -> LogLine.Content? {
        if let json = LogLine.json(of: line) { return LogLine.content(of: json, cassette: cassette) }
        // Earlier versions wrote neither a header nor checksums.
        guard salt == nil, line.last == 0x0A else { return nil }
        return LogLine.content(of: line.dropLast(), cassette: cassette)
    }

    private mutating func take(_ content: LogLine.Content, at offset: Int, _ length: Int) {
        switch content {
        case .header(let salt): self.salt = salt
        case .named(let fingerprints): leftovers.named.formUnion(fingerprints)
        case .standIns(let standIns): leftovers.standIns += standIns
        case .mark(let hash):
            // The recording ended after it replaced the cassette and before it deleted the log.
            if hash == cassetteHash { (entries, order, open) = ([:], [], [:]) }
        case .entry(let entry):
            lastOrdinal = max(lastOrdinal, entry.ordinal)
            if let old = entry.supersedes { supersede(old) }
            if let old = open.removeValue(forKey: entry.ordinal) { supersede(old) }
            if entry.isOpen { open[entry.ordinal] = offset }
            let place = RecordingLog.Place(ordinal: entry.ordinal, offset: offset, length: length)
            entries[offset] = Found(place: place, isOpen: entry.isOpen, files: entry.files)
            order.append(offset)
        }
    }

    private mutating func supersede(_ offset: Int) {
        supersededOffsets.insert(offset)
        if let old = entries.removeValue(forKey: offset) { superseded.append(old.place) }
    }
}
