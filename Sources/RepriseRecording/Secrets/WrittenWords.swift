// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseLocking
internal import RepriseRedaction
internal import RepriseStorage

/// The words of all text that a recording wrote (``TokenFilter``). Threads add to it without the recorder's lock, which
/// would stop all recording while a large file is read.
final class WrittenWords: Sendable {
    private struct State {
        var filter = TokenFilter()
        /// The names of the body files whose words were added. Their content does not change.
        var files: Set<String> = []
    }

    private let state = Locked(State())

    /// Returns whether a text with `value`, between other characters than letters and digits, may have been added.
    func mayContain(_ value: [UInt8]) -> Bool {
        state.withLock { $0.filter.mayContain(value) }
    }

    func insert(_ entry: RecordingLog.Entry, _ folder: BodyFolder) {
        insert(entry.exchange)
        let bodies = Set(entry.bodies)
        for name in entry.textFiles {
            if bodies.contains(name), state.withLock({ $0.files.contains(name) }) { continue }
            // A file that cannot be read cannot be cleaned, and is reported when the cassette is written.
            guard (try? insert(file: name, of: entry, folder)) != nil, bodies.contains(name) else { continue }
            state.withLock { _ = $0.files.insert(name) }
        }
    }

    func insert(_ exchange: Exchange) {
        exchange.forEachText { insert($0) }
    }

    private func insert(_ text: [UInt8]) {
        state.withLock { state in
            state.filter.insert(text)
            DecodedSpellings.forEach(in: text) { state.filter.insert($0) }
        }
    }

    private func insert(file name: String, of entry: RecordingLog.Entry, _ folder: BodyFolder) throws(FileError) {
        var tokenizer = Tokenizer()
        try folder.forEachBlock(of: name, overlap: 0) { block in
            let slice = block[...]
            state.withLock { state in
                state.filter.insert(slice.span, &tokenizer)
                DecodedSpellings.forEach(in: block) { state.filter.insert($0) }
            }
        }
        state.withLock { $0.filter.end(&tokenizer) }
        if let decoded = try folder.decoded(name, of: entry.exchange) { insert(decoded) }
    }
}
