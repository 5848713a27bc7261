// SPDX-License-Identifier: Apache-2.0

public import RepriseAnswers
public import RepriseCassettes
public import RepriseMatching
public import RepriseText

/// One answer that can be given: which requests it is for, and what to play.
public struct Fixture: Sendable {
    /// Where it was written.
    public var source: FixtureSource
    /// Which requests it answers.
    public var pattern: RequestPattern
    /// What to play.
    public var plan: ResponsePlan
    /// What was recorded, where it was asked for when the fixture was made: a server needs the pattern alone.
    public var recording: Recording?
    /// What it is to the clients of a proxy, where that is something else.
    public var proxied: Proxied?

    /// A fixture as the clients of the proxy saw it that recorded it (``RecordedRequest/base``).
    public final class Proxied: Sendable {
        /// What the proxy stood for.
        public let base: String
        /// The requests of the proxy's clients.
        public let pattern: RequestPattern

        fileprivate init(_ request: RecordedRequest, base: String) {
            self.base = base
            var asked = request
            let path = base.firstRange(of: "://").flatMap { base[$0.upperBound...].firstIndex(of: "/") }
            let rest = Array(request.url.utf8.dropFirst(base.utf8.count))
            asked.url = base[..<(path ?? base.endIndex)] + String(decoding: rest, as: UTF8.self)
            pattern = RequestPattern(recorded: asked)
        }
    }

    /// The fixture for clients that ask a server for it, and not the one that was recorded.
    public var asServed: Fixture {
        guard let proxied else { return self }
        var fixture = self
        fixture.pattern = proxied.pattern
        return fixture
    }

    /// The request that was recorded, as it was sent, and when.
    public final class Recording: Sendable {
        /// The request.
        public let request: RecordedRequest
        /// When it was recorded; `nil` for one written by hand.
        public let time: RecordingTime?

        /// What was recorded of `exchange` beside its answer.
        public init(_ exchange: Exchange) {
            request = exchange.request
            time = exchange.recorded
        }
    }

    /// A fixture from `source` that answers `pattern` with `plan`.
    public init(source: FixtureSource, pattern: RequestPattern, plan: ResponsePlan) {
        self.source = source
        self.pattern = pattern
        self.plan = plan
    }

    /// The fixture that answers an exchange's request as it was answered then.
    ///
    /// - Parameters:
    ///   - exchange: What was recorded.
    ///   - source: Where it was written.
    ///   - keepsRecording: Whether ``recording`` is kept.
    public init(
        _ exchange: Exchange,
        source: FixtureSource = FixtureSource(file: "in memory"),
        keepsRecording: Bool = false
    ) {
        self.init(
            source: source,
            pattern: RequestPattern(recorded: exchange.request),
            plan: ResponsePlan(exchange)
        )
        if keepsRecording { recording = Recording(exchange) }
        if let base = exchange.request.base { proxied = Proxied(exchange.request, base: base) }
    }
}

extension FixtureIndex {
    /// An index of `fixtures`, which are in file order: name order of the files, and then as in each file.
    package convenience init(_ fixtures: [Fixture], options: MatchingOptions = MatchingOptions()) {
        self.init(entries: fixtures.map { Entry($0.pattern, source: $0.source) }, options: options)
    }
}
