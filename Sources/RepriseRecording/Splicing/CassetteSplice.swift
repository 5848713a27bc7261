// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseRedaction
internal import RepriseText

/// A set of changes to a cassette's file: which entries are replaced and where others are inserted.
struct CassetteSplice {
    /// A piece of the new file.
    enum Part: Hashable {
        case kept(Range<Int>)
        case text([UInt8])
        /// Entries of the log, separated by commas. `replacing` is the number of the old entry that they replace, if
        /// any.
        case entries([RecordingLog.Place], EntryStyle, replacing: Int?)
    }

    private var replacements: [Int: RecordingLog.Place] = [:]
    /// The entries to insert after each entry. The key -1 means the end of the array.
    private var additions: [Int: [RecordingLog.Place]] = [:]
    /// Changes outside of the entries, in the order of the text.
    private var edits: [CassetteHead.Edit] = []
    private let source: CassetteSource
    private let standIns: StandIns

    /// - Parameter standIns: The stand-ins of the old and the new entries. Requests that differ only in them are equal.
    init(_ source: CassetteSource, standIns: StandIns) {
        self.source = source
        self.standIns = standIns
    }

    mutating func edit(_ edits: [CassetteHead.Edit]) {
        self.edits = edits
    }

    mutating func append(_ place: RecordingLog.Place) {
        additions[source.entries.count - 1, default: []].append(place)
    }

    /// Replaces the entries in `selection`. New entries first replace those with an equal request, and then the rest
    /// in order. Additional entries are inserted after the last replaced one.
    mutating func replace(
        _ selection: RequestSelection,
        by recorded: [(place: RecordingLog.Place, request: RecordedRequest)]
    ) {
        let requests = source.cassette.exchanges.map { $0.request.replacingStandIns(standIns) }
        let selected = requests.indices.filter { index in
            selection.contains(method: requests[index].method, url: requests[index].url)
        }
        var free = selected.map { (index: $0, pattern: Self.pattern(requests[$0])) }
        var rest: [RecordingLog.Place] = []
        for (place, request) in recorded {
            let pattern = Self.pattern(request.replacingStandIns(standIns))
            if let position = free.firstIndex(where: { $0.pattern == pattern }) {
                replacements[free.remove(at: position).index] = place
            } else {
                rest.append(place)
            }
        }
        for (entry, place) in zip(free, rest) { replacements[entry.index] = place }
        let last = selected.last ?? source.entries.count - 1
        additions[last, default: []] += rest.dropFirst(free.count)
    }

    private static func pattern(_ request: RecordedRequest) -> RequestPattern {
        RequestPattern(recorded: request) { file in file.size <= 1 << 20 ? BodyPattern.contents(of: file) : nil }
    }

    /// The exchanges of the old file that stay, with their numbers, counted from 1.
    var kept: [(number: Int, exchange: Exchange)] {
        source.cassette.exchanges.enumerated().filter { replacements[$0.offset] == nil }
            .map { ($0.offset + 1, $0.element) }
    }

    var parts: [Part] {
        edits.reduce(entryParts) { parts, edit in
            parts.flatMap { part -> [Part] in
                guard case .kept(let range) = part, range.lowerBound <= edit.range.lowerBound,
                    edit.range.upperBound <= range.upperBound
                else { return [part] }
                return [
                    .kept(range.lowerBound..<edit.range.lowerBound), .text(edit.text),
                    .kept(edit.range.upperBound..<range.upperBound),
                ]
            }
        }
    }

    private var entryParts: [Part] {
        var parts: [Part] = []
        var index = 0
        for (number, entry) in source.entries.enumerated() {
            let style = EntryStyle(before: space(before: number))
            if let place = replacements[number] {
                parts += [.kept(index..<entry.lowerBound), .entries([place], style, replacing: number)]
                index = entry.upperBound
            }
            if let places = additions[number], !places.isEmpty {
                parts += [.kept(index..<entry.upperBound), .text(style.separator)]
                parts.append(.entries(places, style, replacing: nil))
                index = entry.upperBound
            }
        }
        if source.entries.isEmpty, let first = additions[-1], !first.isEmpty {
            parts += fillingEmptyArray(with: first)
            index = source.array.upperBound - 1
        }
        return parts + [.kept(index..<source.bytes.count)]
    }

    /// Returns the new file, without the end from the array's closing bracket, for an array that was empty.
    private func fillingEmptyArray(with places: [RecordingLog.Place]) -> [Part] {
        let before = source.bytes[..<source.array.lowerBound]
        let lineStart = (before.lastIndex(of: 0x0A) ?? -1) + 1
        let newline: [UInt8] = lineStart > 1 && before[lineStart - 2] == 0x0D ? [0x0D, 0x0A] : [0x0A]
        let indent = before[lineStart...].prefix { $0 == 0x20 || $0 == 0x09 }
        let unit = indent.isEmpty ? Array("  ".utf8)[...] : indent
        let style = EntryStyle(before: newline + indent + unit)
        let entries = Part.entries(places, style, replacing: nil)
        return [.kept(0..<source.array.lowerBound + 1), .text(style.space), entries, .text(newline + indent)]
    }

    /// Returns the whitespace before an entry, after the preceding comma or bracket.
    private func space(before number: Int) -> [UInt8] {
        let start = number > 0 ? source.entries[number - 1].upperBound : source.array.lowerBound + 1
        let between = source.bytes[start..<source.entries[number].lowerBound]
        // Some files have the comma at the start of a line. Only the text after it separates it from the entry.
        let comma = between.firstIndex(of: UInt8(ascii: ","))
        return Array(comma.map { between[($0 + 1)...] } ?? between)
    }
}
