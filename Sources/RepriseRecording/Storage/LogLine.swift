// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseHashing
internal import RepriseText

/// The form of a line of the recording log: JSON, a space, the CRC-32C of the JSON in eight hexadecimal digits, and a
/// line feed. Logs of earlier versions have neither checksums nor a header line.
///
/// ```
/// {"recordingLog": 2, "salt": "00112233445566778899aabbccddeeff"} 5d3c2b1a
/// {"named": ["24:0f1e2d3c4b5a69788796a5b4c3d2e1f0"]} 1a2b3c4d
/// {"standIns": [{"text": "[redacted~1]"}]} 3a2b1c4d
/// {"ordinal": 3, "exchange": {"request": …, "response": …, "recorded": …}} 4d3c2b1a
/// {"cassette": "9f86d081…"} 2b1a3c4d
/// ```
enum LogLine {
    /// What a line contains.
    enum Content: Hashable {
        /// The first line, with the salt of the fingerprints.
        case header(salt: [UInt8])
        /// Fingerprints of values that were redacted.
        case named([SecretFingerprint])
        /// Entries of the table of stand-ins, which later lines use.
        case standIns([StandIn])
        case entry(RecordingLog.Entry)
        /// All entries before are in the cassette if its SHA-256 is this one.
        case mark(hash: String)
    }

    /// The space, the checksum, and the line feed.
    private static let suffixLength = 10
    private static let headerStart = Array("{\"recordingLog\": ".utf8)
    private static let namedStart = Array("{\"named\": ".utf8)
    private static let standInsStart = Array("{\"standIns\": ".utf8)
    static let entryStart = Array("{\"ordinal\": ".utf8)
    private static let markStart = Array("{\"cassette\": ".utf8)

    /// Appends the checksum of the JSON that begins at `start`, and a line feed.
    static func seal(_ json: inout [UInt8], from start: Int = 0) {
        let checksum = CRC32C.checksum(of: json.span.extracting(start...))
        json.append(0x20)
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: checksum >> shift & 0xF)
            json.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
        json.append(0x0A)
    }

    /// Returns a line with its checksum and line feed.
    static func sealed(_ json: [UInt8]) -> [UInt8] {
        var line = json
        seal(&line)
        return line
    }

    /// Returns the JSON of a line with its line feed, or `nil` if the checksum is missing or does not match.
    static func json(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.count > suffixLength, line.last == 0x0A else { return nil }
        let json = line.dropLast(suffixLength)
        let digits = line[(json.endIndex + 1)...].dropLast()
        guard line[json.endIndex] == 0x20 else { return nil }
        var checksum: UInt32 = 0
        for digit in digits {
            // Uppercase digits are never written, so they are damage.
            guard digit < UInt8(ascii: "A") || digit >= UInt8(ascii: "a"), let value = hexadecimalValue(digit) else {
                return nil
            }
            checksum = checksum << 4 | UInt32(value)
        }
        return CRC32C.checksum(of: json.span) == checksum ? json : nil
    }

    /// Returns the start of a complete line at the end of `line`, whose own start is damaged, or `nil` if there is
    /// none. That happens if a line feed was damaged.
    static func start(inDamaged line: ArraySlice<UInt8>) -> Int? {
        var index = line.endIndex - suffixLength
        while index > line.startIndex {
            index -= 1
            guard line[index] == UInt8(ascii: "{"), isStart(line[index...]) else { continue }
            return json(of: line[index...]) != nil ? index : nil
        }
        return nil
    }

    private static func isStart(_ bytes: ArraySlice<UInt8>) -> Bool {
        // Inside a line, these occur only with escaped quotes.
        [entryStart, namedStart, standInsStart, markStart, headerStart].contains { bytes.starts(with: $0) }
    }

    static func canListStandIns(inDamaged line: [UInt8]) -> Bool {
        // Inside a line, this occurs only with escaped quotes. Its own start can be what is damaged.
        line.firstRange(of: standInsStart) != nil || !isStart(line[...])
    }

    /// Reads the JSON of a line of the log of the cassette at `path`. Returns `nil` if it is invalid, or if a body
    /// file that it names is missing.
    static func content(of json: ArraySlice<UInt8>, cassette path: String) -> Content? {
        if json.starts(with: entryStart) {
            return RecordingLog.Entry(json: Array(json), cassette: path).map { .entry($0) }
        }
        if json.starts(with: markStart) { return mark(json) }
        if json.starts(with: namedStart) { return named(json) }
        if json.starts(with: standInsStart) { return standIns(json, cassette: path) }
        return json.starts(with: headerStart) ? header(json) : nil
    }

    // MARK: Other lines than entries

    static func header(salt: [UInt8]) -> [UInt8] {
        sealed(Array("{\"recordingLog\": 2, \"salt\": \"\(salt.map(hexadecimal).joined())\"}".utf8))
    }

    static func named(_ fingerprints: [SecretFingerprint]) -> [UInt8] {
        let texts = fingerprints.map { "\"\($0.text)\"" }
        return sealed(Array("{\"named\": [\(texts.joined(separator: ", "))]}".utf8))
    }

    static func standIns(_ standIns: [StandIn]) -> [UInt8] {
        var text = CassetteText(path: nil, isOneLine: true)
        text.builder.beginObject(onOneLine: true)
        text.builder.key("standIns")
        text.builder.beginArray()
        for standIn in standIns {
            text.builder.element()
            text.add(standIn)
        }
        text.builder.end()
        text.builder.end()
        return sealed(text.builder.text)
    }

    static func mark(hash: String) -> [UInt8] {
        sealed(Array("{\"cassette\": \"\(hash)\"}".utf8))
    }

    private static func header(_ json: ArraySlice<UInt8>) -> Content? {
        guard let strings = strings(json, count: 1), let digits = strings.first else { return nil }
        return [UInt8](hexadecimal: digits).map { .header(salt: $0) }
    }

    private static func named(_ json: ArraySlice<UInt8>) -> Content? {
        guard let strings = strings(json, count: nil) else { return nil }
        return .named(strings.compactMap { SecretFingerprint(text: $0) })
    }

    private static func standIns(_ json: ArraySlice<UInt8>, cassette path: String) -> Content? {
        var parser = CassetteParser(Array(json), file: path, bodies: BodyFolder(cassette: path).bodies)
        guard (try? parser.reader.next()) == .beginObject, case .key? = try? parser.reader.next(),
            let standIns = try? parser.standIns(), parser.problems.isEmpty
        else { return nil }
        return .standIns(standIns)
    }

    private static func mark(_ json: ArraySlice<UInt8>) -> Content? {
        guard let hash = strings(json, count: 1)?.first, hash.count == 64 else { return nil }
        return .mark(hash: String(decoding: hash, as: UTF8.self))
    }

    /// Returns the strings among the values of an object.
    private static func strings(_ json: ArraySlice<UInt8>, count: Int?) -> [[UInt8]]? {
        var reader = JSONReader(Array(json))
        var strings: [[UInt8]] = []
        while let token = try? reader.next() {
            switch token {
            case .string(let range):
                guard let string = try? reader.string(of: range) else { return nil }
                strings.append(Array(string.utf8))
            case .end: return count == nil || strings.count == count ? strings : nil
            default: continue
            }
        }
        return nil
    }
}
