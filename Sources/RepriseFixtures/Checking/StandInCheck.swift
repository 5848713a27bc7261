// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseMatching
internal import RepriseText

/// Compares the table of stand-ins of a cassette with the texts in its exchanges.
struct StandInCheck {
    private let texts: StandInTexts?
    private let listed: Set<String>
    private let file: String
    private var used: Set<Int> = []
    private var unlisted: [(text: String, location: FilePosition)] = []
    private var unused: [(text: String, location: FilePosition)] = []
    private var known: Set<String> = []

    /// Checks a cassette that was read from `file`.
    init(_ read: CassetteReader.Result, file: String) {
        texts = StandInTexts(read.cassette, file: file)
        listed = Set(read.cassette.standIns?.map(\.text) ?? [])
        self.file = file
        for (exchange, location) in zip(read.cassette.exchanges, read.locations) {
            for part in exchange.texts { check(part, at: location) }
        }
        let standIns = read.cassette.standIns ?? []
        for index in standIns.indices where !used.contains(index) && index < read.standInLocations.count {
            unused.append((standIns[index].text, read.standInLocations[index]))
        }
    }

    /// The notes on texts that are not listed, and on entries that do not occur.
    var notes: [FixtureProblem] {
        let fix = texts == nil ? "in a cassette of format 1, only markers without a number match any value" : ""
        let all =
            unlisted.map { found in
                let help = fix.isEmpty ? "list it in \"standIns\" if it stands for a value" : fix
                return (found.location, "\(clipped(found.text)) matches only itself; \(help)")
            }
            + unused.map { found in
                (found.location, "\(clipped(found.text)) is listed in \"standIns\", but does not occur; remove it")
            }
        return all.prefix(FixtureProblems.limitOfFile).map { location, message in
            FixtureProblem(file: file, location: location, message: message)
        }
    }

    private mutating func check(_ bytes: [UInt8], at location: FilePosition) {
        if let texts { used.formUnion(texts.entries(in: bytes.span)) }
        for range in RedactionMarker.ranges(in: bytes.span) {
            let text = RedactionMarker.text(bytes[range])
            let isMarker = texts == nil ? RedactionMarker.number(of: text) == nil : listed.contains(text)
            if !isMarker, known.insert(text).inserted { unlisted.append((text, location)) }
        }
    }
}

extension Exchange {
    /// The parts in which stand-ins can occur.
    fileprivate var texts: [[UInt8]] {
        var texts = [Array(request.url.utf8)]
        texts += (request.headers + request.trailers).map(\.bytes)
        if let body = request.body?.source { texts.append(body.contents) }
        guard case .response(let response) = outcome else { return texts }
        texts.append(response.reasonBytes)
        texts += (response.informational.flatMap(\.headers) + response.headers + response.trailers).map(\.bytes)
        switch response.content {
        case .none: break
        case .body(let body): texts.append(body.source.contents)
        case .stream(let steps):
            var bytes: [UInt8] = []
            for case .bytes(let chunk) in steps.lazy.map(\.event) { bytes += chunk }
            texts.append(bytes)
        }
        return texts
    }
}

extension ByteSource {
    /// The bytes; empty if they are in a file that is too large or cannot be read.
    var contents: [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .file(let file): file.size <= FixtureLoader.inMemoryStreamLimit ? BodyPattern.contents(of: file) ?? [] : []
        }
    }
}
