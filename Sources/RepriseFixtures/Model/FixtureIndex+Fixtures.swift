// SPDX-License-Identifier: Apache-2.0

public import RepriseMatching

extension FixtureIndex {
    /// An index of `fixtures`, which are in file order: name order of the files, and then as in each file.
    public convenience init(_ fixtures: [Fixture], options: MatchingOptions = MatchingOptions()) {
        self.init(entries: fixtures.map { Entry($0.pattern, source: $0.source) }, options: options)
    }
}
