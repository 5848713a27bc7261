// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseCassettes
internal import RepriseRecording
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A recording that was started over the admin API.
struct StartedRecording: Sendable {
    let spec: RecordingSpec
    let recorder: CassetteRecorder
    /// The folder that is removed at the end; nil if the cassette is kept.
    let temporaryFolder: String?

    /// - Parameter folder: The fixture folder that the cassette is kept in; nil if it is not kept.
    init(_ spec: RecordingSpec, host: String, in folder: String?, configuration: CassetteRecorder.Configuration)
        throws(RecordingError)
    {
        self.spec = spec
        let folders = FileManager.default.temporaryDirectory
        let temporary =
            folder == nil ? folders.appendingPathComponent("reprise-recording-\(UUID().uuidString)").path : nil
        temporaryFolder = temporary
        let name = Self.name(host: host, at: .now)
        for number in 1... {
            let suffix = number == 1 ? "" : "-\(number)"
            let path = "\(folder ?? temporary ?? "")/\(name)\(suffix).cassette.json"
            var configuration = configuration
            // Never replace a file, even if it appears only now.
            configuration.mode = .once
            if FixtureFileReader.entry(at: path) != nil { continue }
            recorder = try CassetteRecorder(path, configuration: configuration)
            return
        }
        preconditionFailure("one of the names is free")
    }

    /// Returns the name of a cassette: the host, and the time in UTC.
    static func name(host: String, at date: Date) -> String {
        let words = host.lowercased().slug(separator: "-") { $0.isASCIIWord || $0 == "." }
        let name = words.drop { $0 == "." || $0 == "-" }
        let time = date.formatted(.iso8601).filter { $0.isNumber || $0 == "T" }
        return "\(name.isEmpty ? "recording" : name)-\(time)"
    }

    /// - Parameter report: Receives notes, such as an exchange that was not recorded.
    /// - Returns: The cassette, with the contents of its bodies.
    /// - Throws: An error that says what was lost, if not all exchanges could be written.
    func finish(report: (_ note: String) -> Void) throws -> Cassette {
        let summary = try recorder.finish()
        for note in summary.notes { report(note) }
        guard !summary.isEmpty else { return Cassette() }
        let bytes = try FixtureFileReader.bytes(of: recorder.path)
        var cassette = try CassetteReader.read(bytes, file: recorder.path, bodies: .beside(cassette: recorder.path))
            .cassette
        cassette.exchanges = cassette.exchanges.map { $0.readingFiles() }
        return cassette
    }

    func removeTemporaryFolder() {
        guard let temporaryFolder else { return }
        try? FileManager.default.removeItem(atPath: temporaryFolder)
    }
}

extension Exchange {
    /// Returns the exchange with bodies in memory. A body whose file cannot be read stays in the file.
    fileprivate func readingFiles() -> Exchange {
        var exchange = self
        if let body = request.body { exchange.request.body = body.readingFile() }
        if case .response(var response) = outcome, case .body(let body) = response.content {
            response.content = .body(body.readingFile())
            exchange.outcome = .response(response)
        }
        return exchange
    }
}

extension RecordedBody {
    fileprivate func readingFile() -> RecordedBody {
        guard case .file(let file) = source, let bytes = try? FixtureFileReader.bytes(of: file.path),
            file.offset + file.size <= bytes.count
        else { return self }
        var body = self
        body.source = .bytes(Array(bytes[file.offset..<(file.offset + file.size)]))
        return body
    }
}
