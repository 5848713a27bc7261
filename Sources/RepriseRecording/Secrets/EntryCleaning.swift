// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseHashing
internal import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

/// Removes values from entries and from the files that they name. A body file that contained a value is replaced by
/// another file, since its name is a hash of its content.
struct EntryCleaning {
    private let folder: BodyFolder
    private let removal: SecretRemoval
    /// A body file without its secrets.
    struct Replacement {
        let cuts: ValueCuts
        let file: FileSource
        /// Whether the file contains the body without its content coding.
        var isDecoded = false
    }

    /// The body files that were replaced. An exchange that has not been written can still name them.
    private(set) var replacements: [String: Replacement]
    /// The body files that contain none of the values.
    private var clean: Set<String> = []
    private var generation = 0
    private(set) var replaced: Set<String> = []

    /// - Parameter replacements: The body files that were replaced before.
    init(_ removal: SecretRemoval, _ folder: BodyFolder, replacements: [String: Replacement]) {
        self.removal = removal
        self.folder = folder
        self.replacements = replacements
    }

    /// Removes the values from an entry and its files.
    ///
    /// - Returns: Whether there were any.
    mutating func clean(_ entry: inout RecordingLog.Entry) throws(FileError) -> Bool {
        let old = entry
        entry.exchange.remove(removal.table, removal.replacement)
        var request = entry.exchange.request
        if var body = request.body, try clean(&body, &request.headers, &request.note, entry.ordinal) {
            request.body = body
            entry.exchange.request = request
        }
        if case .response(var response) = entry.exchange.outcome, case .body(var body) = response.content,
            try clean(&body, &response.headers, &response.note, entry.ordinal)
        {
            response.content = .body(body)
            entry.exchange.outcome = .response(response)
        }
        // The files of an exchange that has not ended still change.
        if !entry.isOpen, let steps = entry.steps { entry.steps = try cleaned(steps, entry.ordinal) }
        entry.exchange.noteDigests(original: old.exchange)
        return entry != old
    }

    private mutating func clean(
        _ body: inout RecordedBody,
        _ headers: inout [HeaderLine],
        _ note: inout String?,
        _ ordinal: Int
    ) throws(FileError) -> Bool {
        guard case .file(var source) = body.source, let first = source.name else { return false }
        var name = first
        while let replacement = try replacement(of: name, headers, ordinal) {
            replaced.insert(name)
            source = replacement.file
            name = source.name ?? ""
            if replacement.isDecoded {
                note.append(headers.dropContentEncoding())
                body.chunks = nil
            }
            body.chunks = body.chunks.map { replacement.cuts.sizes($0).filter { $0 > 0 } }
        }
        body.source = .file(source)
        return name != first
    }

    /// Returns the file that replaces the file called `name`, or `nil` if that contains none of the values.
    private mutating func replacement(
        of name: String,
        _ headers: [HeaderLine],
        _ ordinal: Int
    ) throws(FileError) -> Replacement? {
        if clean.contains(name) { return nil }
        if let known = replacements[name] { return known }
        let file = try StorageFile(folder.place(of: name).path, for: .reading)
        let cuts = try ValueCuts(removal, in: file)
        let decoded = cuts.cuts.isEmpty ? try decoded(file, headers) : nil
        guard !cuts.cuts.isEmpty || decoded != nil else {
            clean.insert(name)
            return nil
        }
        let copy = try newFile(.response, ordinal)
        var hash = SHA256()
        func append(_ block: ArraySlice<UInt8>) throws(FileError) {
            try copy.file.append(block.span)
            hash.append(block.span)
        }
        if let decoded {
            try append(decoded[...])
        } else {
            try cuts.copy(file, to: append)
        }
        let type = headers.firstValue(named: "Content-Type")
        let (new, exists) = try folder.name(for: copy.file, hash: hash.hexadecimal, contentType: type)
        let place = folder.place(of: new)
        if exists { try FilePlace(copy.file.path).removeFile() } else { try FilePlace(copy.file.path).move(to: place) }
        let size = try copy.file.size
        let source = FileSource(path: place.path, name: new, size: size)
        let replacement = Replacement(cuts: cuts, file: source, isDecoded: decoded != nil)
        replacements[name] = replacement
        clean.insert(new)
        return replacement
    }

    /// Returns a body without its content coding and without the values, or `nil` if it contains none of them.
    private func decoded(_ file: StorageFile, _ headers: [HeaderLine]) throws(FileError) -> [UInt8]? {
        guard !headers.contentCodings.isEmpty else { return nil }
        return removal.table.decodedBody(try file.content(), headers: headers, removal.replacement)
    }

    private mutating func cleaned(
        _ steps: RecordingLog.Entry.SpilledSteps,
        _ ordinal: Int
    ) throws(FileError) -> RecordingLog.Entry.SpilledSteps {
        let bytes = try StorageFile(folder.place(of: steps.bytes).path, for: .reading)
        let cuts = try ValueCuts(removal, in: bytes)
        guard !cuts.cuts.isEmpty else { return steps }
        let newBytes = try newFile(.response, ordinal)
        try cuts.copy(bytes) { block throws(FileError) in try newBytes.file.append(block.span) }
        var reader = ChunkLogReader(ByteInput(try StorageFile(folder.place(of: steps.pace).path, for: .reading)))
        var chunks: [ChunkLog.Chunk] = []
        while let chunk = try reader.next() { chunks.append(chunk) }
        let sizes = cuts.sizes(chunks.map(\.size))
        let newPace = try newFile(.pace, ordinal)
        for (index, size) in sizes.enumerated() { chunks[index].size = size }
        try newPace.file.append(ChunkLog.encoded(chunks).span)
        replaced.formUnion([steps.bytes, steps.pace])
        return RecordingLog.Entry.SpilledSteps(bytes: newBytes.name, pace: newPace.name)
    }

    /// Creates a file beside the one with the same part and ordinal.
    private mutating func newFile(
        _ part: BodyFolder.Part,
        _ ordinal: Int
    ) throws(FileError) -> (name: String, file: StorageFile) {
        while true {
            generation += 1
            let name = BodyFolder.temporaryName(part, ordinal: ordinal, generation: generation)
            guard !folder.place(of: name).exists else { continue }
            return (name, try StorageFile(folder.place(of: name).path, for: .replacing))
        }
    }
}

extension StorageFile {
    /// Returns the content of a compressed body that was small enough to be scanned, and nothing of a larger one.
    func content() throws(FileError) -> [UInt8] {
        var content: [UInt8] = []
        guard try size <= CodedBody.maximumCodedSize else { return content }
        try forEachBlock { content += $0 }
        return content
    }
}
