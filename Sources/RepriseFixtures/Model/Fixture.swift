// SPDX-License-Identifier: Apache-2.0

package import RepriseAnswers
public import RepriseCassettes
package import RepriseMatching
public import RepriseText

/// A request pattern with its answer and source.
public struct Fixture: Sendable {
    /// The place where the fixture is defined.
    public var source: FixtureSource
    /// The requests that it answers.
    package var pattern: RequestPattern
    /// The plan to play.
    package var plan: ResponsePlan
    /// The recorded request, if it was kept when the fixture was made. A server needs only the pattern.
    package var recording: Recording?
    /// The fixture as a proxy's clients see it, if that differs.
    package var proxied: Proxied?
    /// Whether the answer is played exactly as it is. A server adds a Date line to the answer of a route file.
    package var isRecorded = true
    /// Whether this is a further answer of the fixture before it, which edits need. Nothing has to request it.
    package var isRepeat = false

    /// A fixture as seen by the clients of the proxy that recorded it (``RecordedRequest/base``).
    package final class Proxied: Sendable {
        /// The start of the URL that the proxy added.
        package let base: String
        /// The pattern for requests of the proxy's clients.
        package let pattern: RequestPattern

        fileprivate init(_ request: RecordedRequest, base: String, _ standIns: StandInTexts?, status: Int) {
            self.base = base
            var asked = request
            let path = base.firstRange(of: "://").flatMap { base[$0.upperBound...].firstIndex(of: "/") }
            let rest = Array(request.url.utf8.dropFirst(base.utf8.count))
            asked.url = base[..<(path ?? base.endIndex)] + String(decoding: rest, as: UTF8.self)
            pattern = RequestPattern(recorded: asked, standIns: standIns).answered(status)
        }
    }

    /// The fixture for clients that send their requests to the mock server instead of the recorded server.
    package var asServed: Fixture {
        guard let proxied else { return self }
        var fixture = self
        fixture.pattern = proxied.pattern
        return fixture
    }

    /// The recorded request as it was sent, and its time.
    package final class Recording: Sendable {
        /// The request.
        package let request: RecordedRequest
        /// When the request was recorded; `nil` if it was written by hand.
        package let time: RecordingTime?

        /// Creates a recording from the request and time of `exchange`.
        package init(_ exchange: Exchange) {
            request = exchange.request
            time = exchange.recorded
        }
    }

    /// Creates a fixture from `source` that answers `pattern` with `plan`.
    package init(source: FixtureSource, pattern: RequestPattern, plan: ResponsePlan) {
        self.source = source
        self.pattern = pattern
        self.plan = plan
    }

    /// Creates a fixture that answers the request of an exchange with its recorded outcome.
    ///
    /// - Parameters:
    ///   - exchange: The recorded exchange.
    ///   - source: The place where the exchange is defined.
    ///   - keepsRecording: Whether the recorded request and its time are kept, which a replay needs for custom matchers
    ///     and for the times between requests. The default is `false`. They are always kept for a request that was
    ///     canceled, because only they have the time of the cancellation.
    public init(
        _ exchange: Exchange,
        source: FixtureSource = FixtureSource(file: "in memory"),
        keepsRecording: Bool = false
    ) {
        self.init(exchange, standIns: nil, source: source, keepsRecording: keepsRecording)
    }

    /// Creates a fixture that answers the request of an exchange in which texts stand for values of the traffic.
    package init(
        _ exchange: Exchange,
        standIns: StandInTexts?,
        source: FixtureSource = FixtureSource(file: "in memory"),
        keepsRecording: Bool = false
    ) {
        let status = if case .response(let response) = exchange.outcome { response.status } else { 0 }
        self.init(
            source: source,
            pattern: RequestPattern(recorded: exchange.request, standIns: standIns).answered(status),
            plan: ResponsePlan(exchange)
        )
        if keepsRecording || exchange.outcome == .failure(.cancelled) { recording = Recording(exchange) }
        if let base = exchange.request.base {
            proxied = Proxied(exchange.request, base: base, standIns, status: status)
        }
    }
}

extension FixtureIndex {
    /// Creates an index of `fixtures`, which are in file order: files by name, and within a file as written.
    ///
    /// - Parameter former: The index that this one replaces.
    package convenience init(
        _ fixtures: [Fixture],
        options: MatchingOptions = MatchingOptions(),
        continuing former: FixtureIndex? = nil
    ) {
        let entries = fixtures.map { Entry($0.pattern, source: $0.source) }
        self.init(entries: entries, options: options, continuing: former)
    }
}
