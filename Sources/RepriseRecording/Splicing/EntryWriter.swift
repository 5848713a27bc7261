// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseStorage
internal import RepriseText

/// Writes entries of the log to a cassette.
struct EntryWriter {
    var output: ReplacementFile
    private let path: String
    private let folder: BodyFolder

    init(_ output: ReplacementFile, cassette path: String) {
        self.output = output
        self.path = path
        folder = BodyFolder(cassette: path)
    }

    mutating func write(_ entry: RecordingLog.Entry, _ style: EntryStyle) throws(RecordingError) {
        let isOneLine = style.newline == nil
        var text = CassetteText(path: path, depth: 2, isOneLine: isOneLine, keepsBodiesPlain: isOneLine)
        do {
            try text.add(entry.exchange)
        } catch {
            throw RecordingError("\(path): \(error)")
        }
        do {
            try write(text.builder.text, text.startOfSteps, entry.steps, style)
        } catch {
            throw RecordingError(cassette: path, error)
        }
    }

    private mutating func write(
        _ text: [UInt8],
        _ startOfSteps: Int,
        _ steps: RecordingLog.Entry.SpilledSteps?,
        _ style: EntryStyle
    ) throws(FileError) {
        guard let steps else { return try output.write(style.applied(to: text)) }
        try output.write(style.applied(to: Array(text[..<startOfSteps])))
        var reader = ChunkLogReader(ByteInput(try StorageFile(folder.place(of: steps.pace).path, for: .reading)))
        let bytes = try StorageFile(folder.place(of: steps.bytes).path, for: .reading)
        // The same whitespace as before the last step, which is already in the text.
        let space = style.newline == nil ? [] : style.applied(to: Array("\n          ".utf8))
        var offset = 0
        while let chunk = try reader.next() {
            try output.write(space)
            try write(SpilledChunk(file: bytes, range: offset..<offset + chunk.size), after: chunk.pause)
            try output.write(style.newline == nil ? ", ".utf8 : ",".utf8)
            offset += chunk.size
        }
        try output.write(style.applied(to: Array(text[startOfSteps...])))
    }

    /// Writes a step. A large step is written block by block.
    private mutating func write(_ chunk: SpilledChunk, after pause: Duration) throws(FileError) {
        guard chunk.range.count > SpilledChunk.limit else {
            var text = CassetteText(path: nil, isOneLine: true)
            text.add(StreamStep(after: pause, .bytes(try chunk.bytes())))
            return try output.write(text.builder.text)
        }
        let isText = try chunk.isText()
        let key = isText ? CassetteKey.text : CassetteKey.base64
        try output.write("{\"after\": \(pause.millisecondsSpelling), \"\(key.name)\": \"".utf8)
        var offset = chunk.range.lowerBound
        while offset < chunk.range.upperBound {
            let block = try chunk.block(at: offset, isText: isText)
            offset += block.count
            if isText {
                var text = JSONTextBuilder()
                text.string(block)
                try output.write(text.text.dropFirst().dropLast())
            } else {
                try output.write(Base64.encode(block))
            }
        }
        try output.write("\"}".utf8)
    }
}

/// A chunk of a stream that is stored in a file.
struct SpilledChunk {
    /// The size in bytes up to which a chunk is read as a whole.
    static let limit = 1 << 20
    /// The block size for larger chunks, a multiple of the groups of Base64.
    private static let blockSize = 3 << 16

    let file: StorageFile
    let range: Range<Int>

    func bytes() throws(FileError) -> [UInt8] {
        try file.read(at: range.lowerBound, count: range.count)
    }

    /// Returns whether the chunk is valid UTF-8.
    func isText() throws(FileError) -> Bool {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let block = try block(at: offset, isText: true)
            guard !block.isEmpty, UTF8Sequence.isValid(block) else { return false }
            offset += block.count
        }
        return true
    }

    /// Returns the block that starts at `offset`. Blocks of text contain only complete characters.
    func block(at offset: Int, isText: Bool) throws(FileError) -> [UInt8] {
        var block = try file.read(at: offset, count: min(Self.blockSize, range.upperBound - offset))
        guard isText, offset + block.count < range.upperBound else { return block }
        // The last character starts within the last four bytes.
        let start = block.indices.suffix(4).last { block[$0] & 0xC0 != 0x80 }
        if let start, start > 0 { block.removeSubrange(start...) }
        return block
    }
}
