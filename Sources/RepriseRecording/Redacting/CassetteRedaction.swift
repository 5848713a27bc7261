// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
package import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

/// Removes the secrets from an existing cassette and its body files, as a recorder would have done.
///
/// Entries without secrets stay byte for byte. The new cassette replaces the old one atomically, after its body files
/// are on the disk. A second redaction finds nothing.
package struct CassetteRedaction {
    /// A place that contains a secret.
    package struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// The entry's number, counted from 1.
        package var entry: Int
        /// The entry's request, without its secrets.
        package var request: String
        /// The place in the entry, such as `request header Authorization`.
        package var place: String

        /// The finding in one line.
        package var description: String { "entry \(entry), \(request): \(place)" }
    }

    /// What was found, in the order of the entries.
    package private(set) var findings: [Finding] = []
    /// Bodies that cannot be scanned for secrets, and are unchanged.
    package private(set) var notes: [String] = []

    private let recorder: CassetteRecorder
    private let source: CassetteSource
    private var redacted: [Int: Exchange] = [:]

    /// Searches the cassette at `path`, with the standard rules and the `reprise.yaml` beside it. The cassette does not
    /// change.
    ///
    /// - Parameter memory: The secrets that are also looked for. The default is those of the process.
    /// - Throws: ``RecordingError`` if the cassette is missing, invalid or being recorded, or if a log of an
    ///   interrupted recording waits for it.
    package init(_ path: String, memory: SecretMemory = .shared) throws(RecordingError) {
        guard FilePlace(path).exists else {
            throw RecordingError("\(path): expected a cassette, found nothing; correct the path")
        }
        if let waiting = WaitingRecording(cassette: path) { throw RecordingError("\(waiting)") }
        // Keeps other recorders away until this is done, and has the rules and the memory of a recorder.
        var configuration = CassetteRecorder.Configuration(mode: .append)
        configuration.redactsExisting = true
        configuration.memory = memory
        recorder = try CassetteRecorder(path, configuration: configuration)
        source = try CassetteSource(recorder.path)
        do throws(RecordingError) {
            try search()
        } catch {
            try recorder.abandon()
            throw error
        }
    }

    /// Ends without a change.
    package func discard() throws(RecordingError) {
        try recorder.abandon()
    }

    /// The reason that ``write()`` refuses to change anything: a body file would keep its secret, because only files
    /// with the names of a recorder are removed.
    package var refusal: RecordingError? {
        let old = Set(redacted.keys.flatMap { source.cassette.exchanges[$0].bodyFiles }).subtracting(needed)
        let kept = old.filter { !BodyFolder.isBody($0) }.sorted().map { recorder.folder.place(of: $0).path }
        guard !kept.isEmpty else { return nil }
        return RecordingError(
            "\(recorder.path): nothing was changed, because these body files contain a secret and can't be replaced "
                + "automatically: \(kept.joined(separator: ", ")); replace the secret there with \(Redaction.marker), "
                + "and run the command again"
        )
    }

    /// Replaces the cassette, if there were findings.
    package func write() throws(RecordingError) {
        guard !redacted.isEmpty else { return try discard() }
        if let refusal {
            try discard()
            throw refusal
        }
        let path = recorder.path
        try RecordingError.onDisk(path) { () throws(FileError) in
            for name in needed.sorted() {
                guard let file = try? StorageFile(recorder.folder.place(of: name).path, for: .reading) else { continue }
                try file.synchronize()
            }
        }
        let output = try RecordingError.onDisk(path) { () throws(FileError) in try ReplacementFile(path) }
        var writer = EntryWriter(output, cassette: path)
        do {
            try write(to: &writer)
            try RecordingError.onDisk(path) { () throws(FileError) in
                _ = try writer.output.close()
                try writer.output.commit()
                try FilePlace(path).folder.synchronizeFolder()
            }
        } catch {
            output.discard()
            throw error
        }
        // This also removes the body files that the cassette no longer names.
        try recorder.abandon()
    }

    private func write(to writer: inout EntryWriter) throws(RecordingError) {
        let edits = source.edits(listing: recorder.standIns, format: .one)
        var index = 0
        for (number, range) in source.entries.enumerated() {
            guard let exchange = redacted[number] else { continue }
            let kept = source.text(in: index..<range.lowerBound, with: edits)
            try RecordingError.onDisk(recorder.path) { () throws(FileError) in try writer.output.write(kept) }
            let space = kept.reversed().prefix { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.reversed()
            let entry = RecordingLog.Entry(ordinal: number, exchange: exchange)
            try writer.write(entry, EntryStyle(before: Array(space)))
            index = range.upperBound
        }
        let rest = source.text(in: index..<source.bytes.count, with: edits)
        try RecordingError.onDisk(recorder.path) { () throws(FileError) in try writer.output.write(rest) }
    }

    /// The body files that the new cassette names.
    private var needed: Set<String> {
        Set(source.cassette.exchanges.indices.flatMap { (redacted[$0] ?? source.cassette.exchanges[$0]).bodyFiles })
    }

    // MARK: Searching

    private mutating func search() throws(RecordingError) {
        var exchanges = source.cassette.exchanges
        for index in exchanges.indices {
            try redact(&exchanges[index], index)
            exchanges[index].noteDigests(original: source.cassette.exchanges[index])
        }
        // What was named in one exchange is removed from all.
        if let removal = recorder.removal {
            var cleaning = EntryCleaning(removal, recorder.folder, replacements: [:])
            for index in exchanges.indices {
                var entry = RecordingLog.Entry(ordinal: index, exchange: exchanges[index])
                _ = try RecordingError.onDisk(recorder.path) { () throws(FileError) in try cleaning.clean(&entry) }
                exchanges[index] = entry.exchange
            }
        }
        for (index, exchange) in exchanges.enumerated() where exchange != source.cassette.exchanges[index] {
            redacted[index] = exchange
            let request = "\(exchange.request.method) \(clipped(exchange.request.url, to: 200))"
            findings += exchange.differences(from: source.cassette.exchanges[index]).map { place in
                Finding(entry: index + 1, request: request, place: place)
            }
        }
    }

    private mutating func redact(_ exchange: inout Exchange, _ index: Int) throws(RecordingError) {
        let request = exchange.request
        exchange.request.url = recorder.redacted(url: request.url)
        exchange.request.base = request.base.map { recorder.redacted(url: $0) }
        exchange.request.headers = redacted(request.headers)
        exchange.request.trailers = redacted(request.trailers)
        if let body = exchange.request.body {
            var headers = exchange.request.headers
            exchange.request.body = try redacted(body, .request, &headers, index, original: request.headers)
            exchange.request.headers = headers
        }
        guard case .response(var response) = exchange.outcome else { return }
        let original = response.headers
        response.headers = redacted(original)
        response.trailers = redacted(response.trailers)
        for index in response.informational.indices {
            response.informational[index].headers = redacted(response.informational[index].headers)
            let reason = response.informational[index].reasonBytes
            response.informational[index].reasonBytes = recorder.redaction.redacted(text: reason)
        }
        response.reasonBytes = recorder.redaction.redacted(text: response.reasonBytes)
        switch response.content {
        case .none: break
        case .body(let body):
            response.content = .body(try redacted(body, .response, &response.headers, index, original: original))
        case .stream(let steps):
            response.content = .stream(redacted(steps, index, headers: original))
        }
        exchange.outcome = .response(response)
    }

    private func redacted(_ lines: [HeaderLine]) -> [HeaderLine] {
        zip(lines, recorder.redacted(lines)).map { line, redacted in
            guard line.bytes != redacted.bytes else { return line }
            var redacted = redacted
            redacted.note = line.note
            return redacted
        }
    }

    /// Returns the pieces of a body without their secrets, or `nil` if it has none or cannot be scanned.
    private mutating func redacted(
        _ pieces: (inout RedactedPieces) throws(RecordingFault) -> [RedactedPieces.Piece],
        _ part: BodyFolder.Part,
        _ index: Int,
        _ headers: [HeaderLine]
    ) -> (pieces: [RedactedPieces.Piece], isDecoded: Bool)? {
        let url = source.cassette.exchanges[index].request.url
        var redactor = recorder.pieces(of: part, headers: headers, url: url)
        do throws(RecordingFault) {
            var output = try pieces(&redactor)
            output += try redactor.finish()
            return redactor.isRedacted ? (output, redactor.isDecoded) : nil
        } catch {
            if case .unscannable(_, let reason) = error {
                notes.append(
                    "entry \(index + 1): the \(part.rawValue)'s body cannot be scanned for secrets (\(reason))"
                )
            }
            return nil
        }
    }

    private mutating func redacted(
        _ body: RecordedBody,
        _ part: BodyFolder.Part,
        _ headers: inout [HeaderLine],
        _ index: Int,
        original: [HeaderLine]
    ) throws(RecordingError) -> RecordedBody {
        let bytes: [UInt8]
        switch body.source {
        case .bytes(let inMemory): bytes = inMemory
        case .file(let file):
            bytes = try RecordingError.onDisk(recorder.path) { () throws(FileError) in
                try StorageFile(file.path, for: .reading).read(at: file.offset, count: file.size)
            }
        }
        // An edited body can be longer or shorter than its chunks.
        let sizes = (body.chunks ?? []) + [bytes.count]
        let output = redacted(
            { redactor throws(RecordingFault) in
                var output: [RedactedPieces.Piece] = []
                var start = 0
                for size in sizes where start < bytes.count {
                    let end = size < bytes.count - start ? start + size : bytes.count
                    let piece = Array(bytes[start..<end])
                    output += try redactor.append(RedactedPieces.Piece(bytes: piece, time: .zero, endsChunk: true))
                    start = end
                }
                return output
            },
            part,
            index,
            original
        )
        guard let output else { return body }
        var redacted = body
        let content = Array(output.pieces.map(\.bytes).joined())
        if body.chunks != nil { redacted.chunks = output.pieces.map(\.bytes.count).filter { $0 > 0 } }
        if output.isDecoded {
            let note = headers.dropContentEncoding()
            if redacted.note == nil { redacted.note = note }
        }
        redacted.source = try kept(content, as: body, part, original, index)
        return redacted
    }

    /// Saves a body where the old one was: in the cassette, or in a file.
    private func kept(
        _ content: [UInt8],
        as body: RecordedBody,
        _ part: BodyFolder.Part,
        _ headers: [HeaderLine],
        _ index: Int
    ) throws(RecordingError) -> ByteSource {
        guard case .file = body.source else { return .bytes(content) }
        let files = ExchangeFiles(recorder: recorder, ordinal: index)
        var buffer = SpillBuffer(isHashed: true)
        do throws(RecordingFault) {
            try buffer.append(content) { () throws(RecordingFault) in try files.make(part) }
            try buffer.spill { () throws(RecordingFault) in try files.make(part) }
            return try files.keep(&buffer, part, contentType: headers.firstValue(named: "Content-Type"))
        } catch {
            if case .disk(let error) = error { throw RecordingError(cassette: recorder.path, error) }
            throw RecordingError("\(recorder.path): expected to write a body, found \(error)")
        }
    }

    private mutating func redacted(_ steps: [StreamStep], _ index: Int, headers: [HeaderLine]) -> [StreamStep] {
        let output = redacted(
            { redactor throws(RecordingFault) in
                var output: [RedactedPieces.Piece] = []
                for step in steps {
                    guard case .bytes(let bytes) = step.event else { continue }
                    output += try redactor.append(RedactedPieces.Piece(bytes: bytes, time: .zero, endsChunk: true))
                }
                return output
            },
            .response,
            index,
            headers
        )
        guard let output, !output.isDecoded else { return steps }
        var pieces = output.pieces[...]
        return steps.map { step in
            guard case .bytes = step.event, let piece = pieces.popFirst() else { return step }
            var step = step
            step.event = .bytes(piece.bytes)
            return step
        }
    }
}
