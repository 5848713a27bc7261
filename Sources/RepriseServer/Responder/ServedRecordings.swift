// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching

/// The recordings and routes of a ``ServingState``: how requests find them, and what answers.
struct ServedRecordings: Sendable {
    let index: FixtureIndex
    let play: SequenceState
    let answers: EncodedAnswers

    /// - Parameters:
    ///   - previous: The previous recordings, with which the positions of unchanged sequences are shared.
    ///   - other: The same recordings in another form, whose stand-ins have the same numbers.
    init(
        _ fixtures: [Fixture],
        _ options: MatchingOptions,
        _ encoder: HTTP1Encoder,
        after previous: ServedRecordings?,
        numberedAs other: ServedRecordings? = nil
    ) {
        index = FixtureIndex(fixtures, options: options, continuing: (other ?? previous)?.index)
        answers = EncodedAnswers(fixtures.map(\.plan), encoder) { !fixtures[$0].isRecorded }
        guard let previous else {
            play = SequenceState(index)
            return
        }
        // Sequences with equal contents keep their positions. The contents are computed during the reload, also those
        // of the previous fixtures, so that starting a server does not have to compute any.
        let contents = index.sequenceContents { [plans = answers.plans] in $1.combine(plans[$0]) }
        let former = previous.index.sequenceContents { $1.combine(previous.answers.plans[$0]) }
        play = SequenceState(index, contents, continuing: previous.play, former)
    }

    private init(_ index: FixtureIndex, _ play: SequenceState, _ answers: EncodedAnswers) {
        (self.index, self.play, self.answers) = (index, play, answers)
    }

    /// Returns the recordings with the positions of a session.
    func seen(in session: ServedSession) -> ServedRecordings {
        let play = SequenceState(of: play, counter: session.positions, bindings: session.bindings)
        return ServedRecordings(index, play, answers)
    }
}
