// SPDX-License-Identifier: Apache-2.0

import RepriseText

@testable import RepriseMatching

/// Recorded requests with a table of stand-ins, and what a replay of them plays.
struct StandInReplay {
    let index: FixtureIndex
    var play: SequenceState

    /// - Parameters:
    ///   - texts: The table. A text that is not a marker has the shape of a secret.
    ///   - handedOut: The texts that first occur in a response.
    ///   - statuses: The statuses of the first answers; the others have 200.
    ///   - requests: The recorded requests; `GET /a Authorization: Bearer [redacted~1]`, for example.
    init(
        _ texts: [String],
        literals: [String: String] = [:],
        handedOut: Set<String> = [],
        _ requests: [String],
        options: MatchingOptions = MatchingOptions(),
        file: String = "a.cassette.json",
        statuses: [Int] = [],
        continuing former: StandInReplay? = nil
    ) {
        let entries = texts.map { text -> StandInTexts.Entry in
            if let literal = literals[text] { return StandInTexts.Entry(text, .literal(literal)) }
            let isAny = RedactionMarker.isMarker(text) && RedactionMarker.number(of: text) == nil
            return StandInTexts.Entry(text, isAny ? .anyValue : .secret, isHandedOut: handedOut.contains(text))
        }
        let table = StandInTexts(entries, source: file)
        let patterns = requests.map { line -> RequestPattern in
            let request = OwnedRequest(line: line)
            let (method, url) = Self.target(line)
            let type = request.headers.firstValue(named: "Content-Type").map { Array($0.utf8) }
            return RequestPattern(
                recordedMethod: method,
                url: url,
                headers: request.headers,
                body: BodyPattern(recorded: request.content, contentType: type),
                recordedBodyCount: request.content.count
            ).replacing(table)
        }
        let fixtures = patterns.enumerated().map { number, pattern in
            FixtureIndex.Entry(
                pattern.answered(number < statuses.count ? statuses[number] : 200),
                source: FixtureSource(file: file, location: FilePosition(line: number + 1, column: 1))
            )
        }
        let index = FixtureIndex(entries: fixtures, options: options, continuing: former?.index)
        self.index = index
        // Without the contents of sequences, each starts over.
        let contents = Array(0..<index.sequenceCount)
        play = former.map { SequenceState(index, contents, continuing: $0.play, []) } ?? SequenceState(index)
    }

    /// Creates recorded requests with three numbered markers.
    init(
        _ requests: [String],
        options: MatchingOptions = MatchingOptions(),
        file: String = "a.cassette.json"
    ) {
        self.init(["[redacted~1]", "[redacted~2]", "[redacted~3]"], requests, options: options, file: file)
    }

    /// Returns the number of the fixture that answers a request; `nil` for a miss.
    func callAsFunction(_ line: String, in play: SequenceState? = nil) -> Int? {
        let request = OwnedRequest(line: line)
        for match in [index.match(request)] + index.candidates(request.view) {
            guard case .hit(let sequence) = match else { continue }
            if let fixture = (play ?? self.play).take(sequence, for: request.view).turn.fixture { return fixture }
        }
        return nil
    }

    /// Returns the number of the fixture that would answer a request.
    func next(_ line: String) -> Int? {
        let request = OwnedRequest(line: line)
        guard case .hit(let sequence) = index.match(request) else { return nil }
        return play.next(of: sequence, for: request.view).turn.fixture
    }

    fileprivate static func target(_ line: String) -> (method: String, url: String) {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        return (words[0], words[1])
    }
}

extension OwnedRequest {
    /// A request from a line such as `POST /a A: 1; B: 2 | body`, with `¦` between header lines.
    init(line: String) {
        let halves = line.split(separator: " | ", maxSplits: 1).map(String.init)
        let (method, url) = StandInReplay.target(halves[0])
        let rest = halves[0].split(separator: " ", maxSplits: 2).dropFirst(2).first ?? ""
        let lines = rest.split(separator: "¦").compactMap { HeaderLine(String($0)) }
        self.init(method: method, url: url, headers: lines, body: halves.count > 1 ? Array(halves[1].utf8) : [])
    }
}
