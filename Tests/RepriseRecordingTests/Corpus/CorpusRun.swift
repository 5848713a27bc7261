// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseText

/// What a run of one case found.
struct CorpusOutcome: Sendable {
    var findings: [CorpusFinding] = []
    var secrets = 0
    var innocent = 0
    var replays = 0
    /// Whether another client's requests differ from the recorded ones.
    var isAgain = false
}

/// Records a case, looks at everything on the disk, and plays it to other clients.
struct CorpusRun {
    let family: String
    let example: CorpusCase
    let folder: TemporaryFolder
    var outcome = CorpusOutcome()
    /// The numbers of the clients that are recorded.
    var clients: ClosedRange<Int> { 1...(example.users == true ? 2 : 1) }

    init(_ example: CorpusCase, in family: String) throws {
        self.family = family
        self.example = example
        folder = try TemporaryFolder()
    }

    mutating func report(_ kind: CorpusFinding.Kind, _ detail: String) {
        outcome.findings.append(
            CorpusFinding(kind: kind, family: family, class: example.class, name: example.name, detail: detail)
        )
    }

    /// Runs the case.
    static func run(_ example: CorpusCase, in family: String) async throws -> CorpusOutcome {
        var run = try CorpusRun(example, in: family)
        do {
            try run.record()
            try run.checkInnocentValues()
            await run.replay()
        } catch {
            run.report(.failure, "\(error)".split(separator: "\n").joined(separator: " "))
        }
        return run.outcome
    }

    private mutating func record() throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
        for client in clients {
            var template = CorpusTemplate(example, client: client)
            for (number, exchange) in example.exchanges.enumerated() {
                recorder.record(FilledExchange(exchange, &template, mark: Self.mark(client, number)))
            }
        }
        let journal = try disk()
        let summary = try recorder.finish()
        if summary.refused > 0 { report(.failure, summary.notes.joined(separator: " ")) }
        checkSecrets(journal, try disk())
    }

    /// The value of the header field by which a replay is recognized.
    static func mark(_ client: Int, _ number: Int) -> String { "\(client).\(number)" }

    /// The bytes of each file, after its name.
    private func disk() throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { name in
            let data = FileManager.default.contents(atPath: "\(folder.path)/\(name)") ?? Data()
            return (name, Array("\(name)\n".utf8) + data)
        }
    }

    private mutating func checkSecrets(
        _ journal: [(name: String, bytes: [UInt8])],
        _ cassette: [(name: String, bytes: [UInt8])]
    ) {
        let before = journal.flatMap { CorpusViews.all(of: $0.bytes) }
        var after = cassette.flatMap { CorpusViews.all(of: $0.bytes) }
        // The pieces of a stream stand apart in a cassette.
        after += ((try? folder.exchanges()) ?? []).flatMap { CorpusViews.all(of: folder.joined($0)) }
        for client in clients {
            var template = CorpusTemplate(example, client: client)
            for name in (example.secrets ?? [:]).keys.sorted() {
                let value = template.value(name)
                outcome.secrets += 1
                let isShort = value.utf8.count < 8
                let inJournal = before.contains { $0.places(of: Array(value.utf8), alone: isShort) > 0 }
                let inCassette = after.contains { $0.places(of: Array(value.utf8), alone: isShort) > 0 }
                guard inJournal || inCassette else { continue }
                let files = inJournal ? inCassette ? "journal and cassette" : "journal only" : "cassette only"
                report(.leak, "\(name) = \(value), \(files), \(places(of: value, client: client))")
            }
        }
    }

    /// The parts of the conversation in which a value occurs, for the report.
    private func places(of value: String, client: Int) -> String {
        var template = CorpusTemplate(example, client: client)
        var places: [String] = []
        for (number, exchange) in example.exchanges.enumerated() {
            for (name, bytes) in FilledExchange(exchange, &template, mark: "").parts
            where CorpusViews.all(of: bytes).contains(where: { $0.places(of: Array(value.utf8), alone: false) > 0 }) {
                places.append("\(number + 1) \(name)")
            }
        }
        return places.isEmpty ? "nowhere" : "in " + places.joined(separator: ", ")
    }

    private mutating func checkInnocentValues() throws {
        let recorded = try folder.exchanges().map { folder.texts($0) }
        var template = CorpusTemplate(example, client: 1)
        let original = example.exchanges.map { FilledExchange($0, &template, mark: "").parts.map(\.bytes) }
        for text in example.innocent ?? [] {
            let value = Array(template.fill(text).utf8)
            outcome.innocent += 1
            var sent = 0
            var kept = 0
            // A long text can follow an escape such as `\n`.
            let isShort = value.count < 8
            for (number, parts) in original.enumerated() {
                sent += parts.reduce(0) { $0 + $1.places(of: value, alone: isShort) }
                guard number < recorded.count else { continue }
                kept += recorded[number].reduce(0) { $0 + $1.places(of: value, alone: isShort) }
            }
            let shown = String(decoding: value, as: UTF8.self)
            if sent == 0 {
                report(.failure, "the innocent value \(shown) is in no exchange")
            } else if kept < sent {
                report(.lost, "\(shown), \(places(of: shown, client: 1))")
            }
        }
    }
}

extension TemporaryFolder {
    /// The texts of a recorded exchange.
    fileprivate func texts(_ exchange: Exchange) -> [[UInt8]] {
        var texts = [Array(exchange.request.url.utf8)] + exchange.request.headers.map(\.bytes)
        texts.append(CorpusViews.plain(bytes(exchange.request.body?.source)))
        guard case .response(let response) = exchange.outcome else { return texts }
        texts += response.headers.map(\.bytes)
        switch response.content {
        case .none: break
        case .body(let body): texts.append(CorpusViews.plain(bytes(body.source)))
        case .stream(let steps):
            let pieces = steps.map { step in if case .bytes(let bytes) = step.event { bytes } else { [UInt8]() } }
            texts.append(CorpusViews.plain(Array(pieces.joined())))
        }
        return texts
    }

    fileprivate func joined(_ exchange: Exchange) -> [UInt8] {
        Array(texts(exchange).joined(separator: [0x0A]))
    }

    private func bytes(_ source: ByteSource?) -> [UInt8] {
        switch source {
        case nil: []
        case .bytes(let bytes)?: bytes
        case .file(let file)?: Array(FileManager.default.contents(atPath: file.path) ?? Data())
        }
    }
}
