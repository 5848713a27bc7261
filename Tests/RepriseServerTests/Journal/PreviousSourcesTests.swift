// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseText
import Testing

@testable import RepriseServer

@Suite struct PreviousSourcesTests {
    private func state(_ names: [String], after previous: ServingState? = nil) -> ServingState {
        let fixtures = names.map { name in
            var fixture = Fixture.recorded("https://api.example.com/\(name)", response: .text(name))
            fixture.source = FixtureSource(file: name)
            return fixture
        }
        return ServingState(fixtures, after: previous, configuration: MockServer.Configuration())
    }

    private func append(_ fixture: Int, _ generation: Int, to journal: inout JournalRing) {
        let answer = JournalRing.Answer(fixture: fixture, ordinal: 1, status: 200, generation: generation)
        let none: [UInt8] = []
        _ = journal.append(head: none.span, content: none.span, isContentComplete: true, answer: answer, received: 1)
    }

    @Test func keepsSourcesOfJournalWithoutStates() {
        var sources = PreviousSources()
        var journal = JournalRing(records: 3, bytes: 4096)
        var first: ServingState? = state(["a", "b"])
        append(1, 0, to: &journal)
        sources.append(first!)
        #expect(sources[0, 1]?.source.file == "b")
        #expect(sources[0, 0]?.source.file == "a")
        _ = sources.replaceStates(with: sources.reduced(to: journal.snapshot))
        #expect(sources[0, 1]?.source.file == "b")
        #expect(sources[0, 0] == nil)
        #expect(isKnownUniquelyReferenced(&first!))
    }

    /// A reload and the answer to a slow upload, between finding the sources and using them.
    @Test func keepsWhatWasAddedInTheMeantime() {
        var sources = PreviousSources()
        var journal = JournalRing(records: 3, bytes: 4096)
        let first = state(["a", "b"])
        let second = state(["c"], after: first)
        append(1, 0, to: &journal)
        sources.append(first)
        let reduced = sources.reduced(to: journal.snapshot)
        sources.append(second)
        sources.append(0, of: first)
        _ = sources.replaceStates(with: reduced)
        #expect(sources[0, 0]?.source.file == "a")
        #expect(sources[0, 1]?.source.file == "b")
        #expect(sources[1, 0]?.source.file == "c")
    }

    @Test func dropsGenerationsThatTheJournalDropped() {
        var sources = PreviousSources()
        var journal = JournalRing(records: 1, bytes: 4096)
        let first = state(["a"])
        let second = state(["b"], after: first)
        append(0, 0, to: &journal)
        sources.append(first)
        _ = sources.replaceStates(with: sources.reduced(to: journal.snapshot))
        append(0, 1, to: &journal)
        sources.append(second)
        _ = sources.replaceStates(with: sources.reduced(to: journal.snapshot))
        #expect(sources[0, 0] == nil)
        #expect(sources[1, 0]?.source.file == "b")
    }
}
