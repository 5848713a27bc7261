// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseCassettes
internal import RepriseFixtures
internal import RepriseStorage
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

/// The files that the admin API wrote to the fixture folder. A file that the server did not write is never removed, and
/// is replaced only if it still contains only the stub that was loaded from it, unchanged.
struct SavedFiles: Sendable {
    private var stubs: [String: SavedFile] = [:]
    /// The files below `__files`, by path.
    private var files: [[String]: SavedFile] = [:]
    /// Whether files of stubs were written or removed, so that they differ from what was loaded.
    private(set) var haveStubsChanged = false

    // MARK: Stubs

    /// - Parameter loaded: The stubs of the server, with those that were loaded from files.
    mutating func save(_ stubs: [StubFixture], over loaded: StubStack, in folder: AdminFolder) throws(AdminFailure) {
        for stub in stubs {
            var mapping = stub.mapping
            mapping.isPersistent = true
            let content = StubMappingWriter.write(mapping)
            self.stubs[stub.id] = try save(content, of: mapping, over: loaded, in: folder)
            haveStubsChanged = true
        }
    }

    private func save(
        _ content: [UInt8],
        of mapping: StubMapping,
        over loaded: StubStack,
        in folder: AdminFolder
    ) throws(AdminFailure) -> SavedFile {
        if let saved = stubs[mapping.id ?? ""] {
            try write(content, to: saved.parts, in: folder.mappings, over: saved.expected)
            return SavedFile(saved.parts, content, isNew: saved.isNew)
        }
        if let loaded = loaded.fileStub(mapping.id ?? "") {
            return try replaceFile(of: loaded, with: content, in: folder)
        }
        for isLong in [false, true] {
            let parts = [AdminFolder.name(for: mapping, isLong: isLong)]
            do throws(ContainedFolder.Failure) {
                try folder.mappings.write(content, to: parts, over: .missing)
                return SavedFile(parts, content, isNew: true)
            } catch {
                if error == .changed, !isLong { continue }
                throw Self.failure(error, parts, folder.mappings)
            }
        }
        throw .conflict("no free name was found for the file of a stub")
    }

    /// Replaces the file that a stub was loaded from, if it still contains only that stub, unchanged.
    private func replaceFile(
        of loaded: StubFixture,
        with content: [UInt8],
        in folder: AdminFolder
    ) throws(AdminFailure) -> SavedFile {
        let path = FixtureFileReader.realPath(of: loaded.source.file)
        let root = FixtureFileReader.realPath(of: folder.mappings.path) + "/"
        guard path.hasPrefix(root) else {
            throw .conflict(
                "expected a stub from the folder \(root), found one from \(loaded.source); edit that file instead"
            )
        }
        let parts = path.dropFirst(root.count).split(separator: "/").map { String($0) }
        guard let found = try Self.read(parts, in: folder.mappings),
            let mappings = try? StubMappingReader.read(all: found).mappings
        else { throw Self.failure(.changed, parts, folder.mappings) }
        guard mappings.count == 1 else {
            throw .conflict(
                "expected a file with one stub, found \(mappings.count) in \(loaded.source.file); edit the file, or "
                    + "give each stub a file of its own"
            )
        }
        var mapping = mappings[0]
        // A stub without an identifier, or with that of another stub, got one when it was loaded.
        mapping.id = loaded.id
        guard mapping == loaded.mapping else { throw Self.failure(.changed, parts, folder.mappings) }
        try write(content, to: parts, in: folder.mappings, over: .content(count: found.count) { $0 == found })
        return SavedFile(parts, content, isNew: false)
    }

    /// Removes the files that were written for stubs, unless they have changed since.
    mutating func remove(stubs ids: [String], in folder: AdminFolder) {
        for id in ids {
            guard let saved = stubs.removeValue(forKey: id), saved.isNew else { continue }
            haveStubsChanged = true
            // A changed file is kept.
            _ = try? folder.mappings.remove(saved.parts, if: saved.expected)
        }
    }

    // MARK: Files

    /// Writes a file below `__files`. Replaces only a file that was written here and has not changed since.
    mutating func write(_ content: [UInt8], to parts: [String], in folder: AdminFolder) throws(AdminFailure) {
        try write(content, to: parts, in: folder.files, over: files[parts]?.expected ?? .missing)
        files[parts] = SavedFile(parts, content, isNew: true)
    }

    /// Removes a file below `__files`, if it was written here and has not changed since.
    mutating func remove(_ parts: [String], in folder: AdminFolder) throws(AdminFailure) {
        let name = shown(parts.joined(separator: "/"))
        guard let saved = files[parts] else {
            let exists = try Self.reporting(parts, folder.files) { folder throws(ContainedFolder.Failure) in
                try folder.contains(parts)
            }
            guard exists else { throw .notFound("expected a file, found none at '\(name)'") }
            throw .refused(
                "expected a file that was written over the admin API, found another at '\(name)'; remove it yourself"
            )
        }
        let isRemoved = try Self.reporting(parts, folder.files) { folder throws(ContainedFolder.Failure) in
            try folder.remove(parts, if: saved.expected)
        }
        files[parts] = nil
        guard isRemoved else { throw .notFound("expected a file at '\(name)', found none; another program removed it") }
    }

    // MARK: Parts

    private func write(
        _ content: [UInt8],
        to parts: [String],
        in folder: ContainedFolder,
        over expected: ContainedFolder.Expected
    ) throws(AdminFailure) {
        try Self.reporting(parts, folder) { folder throws(ContainedFolder.Failure) in
            try folder.write(content, to: parts, over: expected)
        }
    }

    static func read(_ parts: [String], in folder: ContainedFolder) throws(AdminFailure) -> [UInt8]? {
        try reporting(parts, folder) { folder throws(ContainedFolder.Failure) in
            try folder.read(parts, limit: AdminFolder.largestFile)
        }
    }

    static func reporting<Value>(
        _ parts: [String],
        _ folder: ContainedFolder,
        _ operation: (ContainedFolder) throws(ContainedFolder.Failure) -> Value
    ) throws(AdminFailure) -> Value {
        do throws(ContainedFolder.Failure) { return try operation(folder) } catch {
            throw failure(error, parts, folder)
        }
    }

    private static func failure(
        _ error: ContainedFolder.Failure,
        _ parts: [String],
        _ folder: ContainedFolder
    ) -> AdminFailure {
        let name = shown(parts.joined(separator: "/"))
        switch error {
        case .invalidPath, .link, .privateKey: return .refused("'\(name)': \(error)")
        case .changed:
            return .conflict(
                "expected '\(name)' in \(folder.path) as this server loaded or wrote it, found a different file or "
                    + "different content; move the file away, or reload the fixtures"
            )
        case .system(let error) where error.isOfWrongKind || error.isNameTooLong:
            return .invalidParameter(
                "path",
                "expected a name that the file system accepts, found '\(name)': \(error.reason); send another name"
            )
        case .system(let error):
            return AdminFailure(status: 500, [.init(code: 500, title: "File error", detail: "\(error)")])
        }
    }
}

/// A file that was written, with a hash that shows whether it has changed since.
struct SavedFile: Sendable {
    let parts: [String]
    /// Whether the file is new, so that it may be removed.
    let isNew: Bool
    private let count: Int
    private let hash: Int

    init(_ parts: [String], _ content: [UInt8], isNew: Bool) {
        self.parts = parts
        self.isNew = isNew
        (count, hash) = (content.count, Self.hash(content))
    }

    /// The file must still have the content that was written.
    var expected: ContainedFolder.Expected {
        .content(count: count) { [hash] in Self.hash($0) == hash }
    }

    private static func hash(_ content: [UInt8]) -> Int {
        var hasher = Hasher()
        hasher.combine(content)
        return hasher.finalize()
    }
}
