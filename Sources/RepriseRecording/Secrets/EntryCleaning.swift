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
        /// What was removed from the other file.
        let cuts: ValueCuts
        let file: FileSource
    }

    /// The body files that were replaced. An exchange that has not been written can still name them.
    private(set) var replacements: [String: Replacement]
    /// The body files that contain none of the values.
    private var clean: Set<String> = []
    private var generation = 0
    /// The files that were replaced.
    private(set) var replaced: Set<String> = []

    /// Creates a cleaning.
    ///
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
        let request = entry.exchange.request
        if var body = request.body, try clean(&body, request.headers, entry.ordinal) {
            entry.exchange.request.body = body
        }
        if case .response(var response) = entry.exchange.outcome, case .body(var body) = response.content,
            try clean(&body, response.headers, entry.ordinal)
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
        _ headers: [HeaderLine],
        _ ordinal: Int
    ) throws(FileError) -> Bool {
        guard case .file(var source) = body.source, let first = source.name else { return false }
        var name = first
        while let replacement = try replacement(of: name, headers, ordinal) {
            replaced.insert(name)
            source = replacement.file
            name = source.name ?? ""
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
        guard !cuts.cuts.isEmpty else {
            clean.insert(name)
            return nil
        }
        let copy = try newFile(.response, ordinal)
        var hash = SHA256()
        try cuts.copy(file) { block throws(FileError) in
            try copy.file.append(block.span)
            hash.append(block.span)
        }
        let type = headers.firstValue(named: "Content-Type")
        let (new, exists) = try folder.name(for: copy.file, hash: hash.hexadecimal, contentType: type)
        let place = folder.place(of: new)
        if exists { try FilePlace(copy.file.path).removeFile() } else { try FilePlace(copy.file.path).move(to: place) }
        let size = try copy.file.size
        let replacement = Replacement(cuts: cuts, file: FileSource(path: place.path, name: new, size: size))
        replacements[name] = replacement
        clean.insert(new)
        return replacement
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
