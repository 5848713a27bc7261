// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseRedaction
private import RepriseStorage
package import RepriseText

/// Searches loaded fixtures for secrets: cassettes with their body files, HAR files, route files, and stub mappings.
///
/// In a recording, all secrets are problems. In handwritten files, most secrets are made up, so only private keys and
/// keys in a known service's format are problems, and everything else is noted. Binary files are searched for private
/// keys.
///
/// The standard rules and the nearest `reprise.yaml` (``RedactionFile``), in the file's folder or above it, define what
/// counts as a secret and what is allowed.
package struct SecretCheck {
    /// The problems found, as `file:line:column: place of the secret and what to do`. They never contain a secret.
    package private(set) var problems: [FixtureProblem] = []
    /// Notes on bodies that cannot be scanned, and on text that people wrote that looks like a secret.
    package private(set) var notes: [FixtureProblem] = []
    /// Notes on responses whose header lines and content do not fit together. They are found here because the fixtures
    /// no longer contain what cannot be sent.
    package private(set) var framingNotes: [FixtureProblem] = []
    /// Notes on stand-ins that do not occur, and on markers that match only themselves.
    package private(set) var standInNotes: [FixtureProblem] = []

    private var redactions: [String: Redaction] = [:]

    /// Searches all files of `set`.
    package init(_ set: FixtureSet) {
        for file in set.files { check(file.path, set.kinds[ExactText(file.path)]) }
    }

    private mutating func check(_ path: String, _ kind: FixtureFileKind?) {
        let redaction = redaction(forFolder: RedactionFile.folder(of: path))
        do {
            switch kind {
            case .cassette: try checkCassette(path, redaction)
            case .har: try checkHAR(path, redaction)
            default: checkWritten(path, redaction)
            }
        } catch {
            problems += error.problems
        }
    }

    private mutating func checkCassette(_ path: String, _ redaction: Redaction) throws(FixtureProblems) {
        let bytes = try Self.read(path)
        let bodies = CassetteBodies.beside(cassette: path)
        let result = try CassetteReader.read(bytes, file: path, bodies: bodies)
        let standIns = HiddenStandIns(result.cassette)
        let exchanges = result.cassette.exchanges.map { standIns?.hidden(in: $0) ?? $0 }
        report(exchanges, result.locations, in: standIns?.blanked(in: bytes) ?? bytes, path, redaction)
        standInNotes += StandInCheck(result, file: path).notes
        noteFraming(result.cassette.exchanges, result.locations, path)
    }

    private mutating func noteFraming(_ exchanges: [Exchange], _ locations: [FilePosition], _ path: String) {
        var count = 0
        for (exchange, location) in zip(exchanges, locations) {
            for note in exchange.framingNotes {
                count += 1
                let exceedsLimit = count > FixtureProblems.limitOfFile
                let message = exceedsLimit ? FixtureProblems.andMore : note
                framingNotes.append(FixtureProblem(file: path, location: location, message: message))
                if exceedsLimit { return }
            }
        }
    }

    private mutating func checkHAR(_ path: String, _ redaction: Redaction) throws(FixtureProblems) {
        let har = try HARFile(Self.read(path), at: FixtureFileReader.realPath(of: path), file: path)
        let result = try HARReader.read(har, file: path)
        report(result.exchanges, result.locations, in: har.text, path, redaction, isCapture: true)
    }

    /// Searches a route file or a file of stub mappings.
    private mutating func checkWritten(_ path: String, _ redaction: Redaction) {
        guard let entry = FixtureFileReader.entry(at: path) else { return }
        let headers = checkHeaders(ofRoute: path, redaction)
        let source = ByteSource.file(FileSource(path: path, size: entry.size))
        // Do not read a large file into memory. Its secrets are then reported at the start of the file.
        let bytes = entry.size <= FixtureLoader.inMemoryStreamLimit ? (try? Self.read(path)) ?? [] : []
        let start = bytes.isEmpty ? (try? StorageFile(path, for: .reading).read(at: 0, count: 1 << 16)) ?? [] : bytes
        let isBinary = Self.isBinary(start)
        var places = SecretPlaces(bytes)
        var search = SecretSearch(redaction: redaction.distinctive(privateKeysOnly: isBinary))
        let codings = isBinary ? headers.lines(named: "Content-Encoding") : []
        search.search(source, codings + [Self.rawType], "the file")
        // If a body is not in its coding, that is reported as such.
        report(search.secrets, [], at: .start, in: &places, path, isFile: codings.isEmpty)
        guard !isBinary else { return }
        let type = headers.firstValue(named: "Content-Type") ?? ContentType.named(byFilename: path)
        search = SecretSearch(redaction: redaction)
        search.search(source, [HeaderLine(name: "Content-Type", value: type)], "the file")
        let harmless = HarmlessCookies(in: bytes, redaction).ranges
        let secrets = search.secrets.filter { secret in
            // A template is not a value.
            !harmless.contains { $0.contains(secret.offset ?? -1) }
                && String(decoding: secret.bytes, as: UTF8.self).firstRange(of: "{{") == nil
        }
        report(secrets, search.unscanned, at: .start, in: &places, path, isFile: true, isWritten: true)
    }

    /// Whether a file contains control characters that text does not contain.
    static func isBinary(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 < 0x20 && $0 != 0 && $0 != 0x1B && !(0x09...0x0D).contains($0) }
    }

    /// Because of this type, only text that looks like a secret is found, not values by their names.
    private static let rawType = HeaderLine(name: "Content-Type", value: "image/raw")

    /// Searches the header lines next to a route file, and returns them.
    private mutating func checkHeaders(ofRoute routeFile: String, _ redaction: Redaction) -> [HeaderLine] {
        let path = routeFile + RouteFileHeaders.suffix
        guard FixtureFileReader.item(at: path) == .file, let bytes = try? Self.read(path),
            let lines = try? RouteFileHeaders.lines(of: bytes, file: path)
        else { return [] }
        var places = SecretPlaces(bytes)
        reportRest(of: bytes, in: &places, path, redaction.distinctive(privateKeysOnly: false))
        var search = SecretSearch(redaction: redaction)
        search.search(lines, "header")
        report(search.secrets, [], at: .start, in: &places, path, isWritten: true)
        return lines
    }

    // MARK: Reports

    private mutating func report(
        _ exchanges: [Exchange],
        _ locations: [FilePosition],
        in bytes: [UInt8],
        _ path: String,
        _ redaction: Redaction,
        isCapture: Bool = false
    ) {
        var places = SecretPlaces(bytes)
        for (exchange, location) in zip(exchanges, locations) {
            let found = redaction.findings(in: exchange)
            report(found.secrets, found.unscanned, at: location, in: &places, path)
        }
        if isCapture {
            var cursor = LocationCursor()
            for (finding, place) in HARSecrets(bytes, redaction).findings {
                // A short text can occur elsewhere too.
                let isShort = finding.bytes.count < SecretPlaces.minimumLength
                let location = cursor.location(of: place, in: bytes)
                report([finding], [], at: location, in: &places, path, isFile: isShort)
            }
        }
        reportRest(of: bytes, in: &places, path, redaction)
    }

    /// Searches the rest of a file, such as its notes and comments.
    private mutating func reportRest(
        of bytes: [UInt8],
        in places: inout SecretPlaces,
        _ path: String,
        _ redaction: Redaction
    ) {
        var search = SecretSearch(redaction: redaction)
        search.search(.bytes(bytes), [Self.rawType], "the file")
        places.skipsReturnedLines = true
        report(search.secrets, [], at: .start, in: &places, path, isFile: true)
    }

    /// - Parameters:
    ///   - isFile: Whether the secrets were found in the file itself, and not in a body in it.
    ///   - isWritten: Whether the secrets are in text that people write, and have a form that other texts have too.
    private mutating func report(
        _ secrets: [SecretFinding],
        _ unscanned: [String],
        at location: FilePosition,
        in places: inout SecretPlaces,
        _ path: String,
        isFile: Bool = false,
        isWritten: Bool = false
    ) {
        for secret in secrets {
            guard places.returnedCount <= FixtureProblems.limitOfFile else { return }
            guard let place = places.next(secret, from: location, isFile: isFile) else { continue }
            let exceedsLimit = places.returnedCount > FixtureProblems.limitOfFile
            let message = exceedsLimit ? FixtureProblems.andMore : Self.message(secret, isWritten: isWritten)
            let problem = FixtureProblem(file: path, location: place, message: message)
            if isWritten { notes.append(problem) } else { problems.append(problem) }
        }
        notes += unscanned.map {
            FixtureProblem(file: path, location: location, message: "not checked for secrets: \($0)")
        }
    }

    private static func message(_ secret: SecretFinding, isWritten: Bool) -> String {
        let start = secret.start.isEmpty ? "" : " (\(secret.start)…)"
        let kind = Redaction.standard.kind(ofSecret: secret.bytes) ?? "text that looks like one"
        return
            "expected no secret, found \(kind) in \(secret.field)\(start); \(isWritten ? "if it is real, " : "")replace it "
            + "with \(RedactionMarker.plain), or allow it in \(RedactionFile.name)"
    }

    // MARK: Files

    private static func read(_ path: String) throws(FixtureProblems) -> [UInt8] {
        do throws(FixtureFileReader.Failure) {
            return try FixtureFileReader.bytes(of: path)
        } catch {
            throw FixtureProblems([FixtureProblem(file: path, message: error.description)])
        }
    }

    private mutating func redaction(forFolder folder: String) -> Redaction {
        if let known = redactions[folder] { return known }
        let redaction: Redaction
        do throws(FixtureProblems) {
            redaction = try RedactionFile.redaction(inFolder: folder)
        } catch {
            // A file that applies to several folders is reported only once.
            problems += error.problems.filter { !problems.contains($0) }
            redaction = .standard
        }
        redactions[folder] = redaction
        return redaction
    }
}
