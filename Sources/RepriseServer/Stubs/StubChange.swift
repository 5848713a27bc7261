// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseStubAnswers

/// A change of the stubs that are served.
enum StubChange {
    /// Adds stubs, which are tried before all others with their priority, the last one first. A stub replaces an
    /// existing one with the same identifier.
    case add([StubFixture])
    /// Replaces the stub with an identifier, which keeps its place in the order in which stubs are tried.
    case replace(String, with: StubFixture)
    case remove([String])
    case removeAll
    /// Serves exactly the stubs of the files again; in a session, those of the server.
    case resetToFiles
}
