// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseText

extension MockServer.Configuration {
    /// Returns fixtures with the edits in ``bends``.
    ///
    /// - Throws: The reasons that an edit cannot apply.
    func bend(_ fixtures: [Fixture]) throws(FixtureProblems) -> [Fixture] {
        guard !bends.isEmpty else { return fixtures }
        return try fixtures.bent(by: bends, MatchingRules(matching, afterLast: afterLast).options)
    }

    /// Returns fixtures with the edits in ``bends``, for a server that starts.
    func bent(_ fixtures: [Fixture]) throws(StartError) -> [Fixture] {
        do throws(FixtureProblems) { return try bend(fixtures) } catch { throw StartError(bends: error) }
    }
}
