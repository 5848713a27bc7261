// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseStubAnswers
internal import RepriseText

// Saves stubs and files to the fixture folder.
extension ServerControl {
    /// Runs work on the saved files, one task at a time, on a thread of its own, so that a slow disk does not delay
    /// other changes.
    nonisolated func saving<Value: Sendable>(
        _ work: @escaping @Sendable (inout SavedFiles) throws(AdminFailure) -> Value
    ) async throws(AdminFailure) -> Value {
        try await savingThread.run { [savedFiles] in
            savedFiles.withLock { files in Result { () throws(AdminFailure) in try work(&files) } }
        }
        .get()
    }

    func save(_ stubs: [StubFixture], in folder: AdminFolder) async throws(AdminFailure) {
        let loaded = shared.current.stubs
        try await saving { files throws(AdminFailure) in try files.save(stubs, over: loaded, in: folder) }
    }

    /// Returns the stubs whose current form is not in the files.
    func unsavedStubs() -> [StubFixture] {
        stubs().filter { stub in
            guard stub.source == Self.addedSource else { return false }
            return shared.current.stubs.fileStub(stub.id)?.mapping != stub.mapping
        }
    }

    /// Loads the files again if stubs were saved, or saved ones removed.
    ///
    /// - Throws: All problems found in the files. The current fixtures then stay in use.
    func reloadSaved(_ paths: [String]) async throws(FixtureProblems) {
        guard !paths.isEmpty, (try? await saving { $0.haveStubsChanged }) == true else { return }
        _ = try await reload(paths)
    }
}
