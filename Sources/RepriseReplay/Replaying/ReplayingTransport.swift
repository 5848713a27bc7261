// SPDX-License-Identifier: Apache-2.0

public import Reprise
internal import RepriseAnswers
public import RepriseFixtures
public import RepriseText

/// Answers requests in the process, from the same fixtures that the mock server serves, as they were recorded: header
/// lines, chunk boundaries, pauses, trailers, and how it ended.
///
/// ```swift
/// let transport = try ReplayingTransport("Fixtures/users.cassette.json")
/// let api = Client("https://staging.example.com", transport: transport)
/// let user: User = try await api.get("/users/42").value()
/// try transport.finish()
/// ```
///
/// It is strict: what no fixture answers fails with `noFixture`, and the message tells the nearest
/// fixture, field by field, and the command that records what is missing. Requests that are equal in all that is compared
/// get the recorded answers in turn, in the order in which they arrive, over all tasks.
///
/// Redirections are followed as by every transport. Nothing takes time, unless ``Configuration/pace`` says so.
public final class ReplayingTransport: TimekeepingTransport {
    /// How it replays.
    public let configuration: Configuration
    private let catalog: ReplayCatalog
    private let timing: ReplayTiming

    /// A replay of these fixtures.
    ///
    /// - Parameters:
    ///   - fixtures: what answers, in file order. A `Matcher.custom` and `Pace.virtual` need their
    ///     `Fixture.recording`.
    ///   - configuration: how to replay.
    public convenience init(fixtures: [Fixture], configuration: Configuration = Configuration()) {
        self.init(fixtures: fixtures, configuration: configuration) { _ in configuration.chunking }
    }

    /// A replay in which each fixture has a chunking of its own.
    package init(
        fixtures: [Fixture],
        configuration: Configuration,
        chunking: @escaping @Sendable (_ fixture: Int) -> Chunking
    ) {
        self.configuration = configuration
        catalog = ReplayCatalog(fixtures, configuration, chunking: chunking)
        timing = ReplayTiming(configuration, fixtures)
    }

    /// A replay of what is at `paths`: folders, read recursively, and files.
    ///
    /// - Parameters:
    ///   - paths: cassettes, captures, route files, and folders of them.
    ///   - configuration: how to replay.
    /// - Throws: all that is wrong with the files.
    public convenience init(
        paths: [String],
        configuration: Configuration = Configuration()
    ) throws(FixtureProblems) {
        try self.init(paths: paths, and: [], configuration: configuration)
    }

    /// A replay of what is at `paths`, and behind it, of these fixtures.
    convenience init(
        paths: [String],
        and fixtures: [Fixture],
        configuration: Configuration
    ) throws(FixtureProblems) {
        let rules = MatchingRules(configuration.matching, afterLast: configuration.afterLast)
        // The time of a failure stands in the recording alone.
        let keepsRecordings = configuration.pace != .instant || !rules.custom.isEmpty
        let set = try FixtureLoader.load(paths, keepsRecordings: keepsRecordings)
        self.init(fixtures: set.fixtures + fixtures, configuration: configuration)
    }

    /// A replay of what is at `path`: a cassette, a capture, or a folder.
    ///
    /// - Parameters:
    ///   - path: where the fixtures are.
    ///   - matching: what has to be as it was recorded.
    ///   - pace: how fast time passes.
    ///   - chunking: in which chunks bodies come.
    ///   - unmatched: what becomes of a request that no fixture answers.
    /// - Throws: all that is wrong with the files.
    public convenience init(
        _ path: String,
        matching: [Matcher] = .standard,
        pace: Pace = .instant,
        chunking: Chunking = .recorded,
        unmatched: ReplayMode.Unmatched = .fail
    ) throws(FixtureProblems) {
        try self.init(
            paths: [path],
            configuration: Configuration(matching: matching, pace: pace, chunking: chunking, unmatched: unmatched)
        )
    }

    /// True, because time is a matter of the replay's pace, and so is `RequestOptions.timeout`; where requests may pass
    /// through, what the other transport says.
    public var enforcesTimeout: Bool {
        switch configuration.unmatched {
        case .fail: true
        case .passThrough: base.enforcesTimeout
        }
    }

    /// Whether the client need not look after the time on `clock` either.
    package func enforcesTimeout(on clock: any Clock<Duration>) -> Bool {
        guard case .fail = configuration.unmatched else { return false }
        return timing.keepsTime(on: clock)
    }

    /// Where requests go that may pass through.
    private var base: any Transport { configuration.base ?? DefaultTransport.shared }

    /// The clock on which its time passes, for a client whose retries and pauses are to take no time either; nil where
    /// that is the client's own.
    public var clock: (any Clock<Duration>)? { timing.virtual ?? configuration.clock }

    /// The numbers of the fixtures that have answered something.
    package var played: [Int] { catalog.used }

    /// What was asked so far.
    public var report: ReplayReport { catalog.report }

    /// Says that nothing more will be asked.
    ///
    /// - Returns: what became of the replay.
    /// - Throws: ``ReplayFailure`` if something was asked that no fixture answers, or if a recorded exchange was not asked
    ///   for. Without complaint where requests may pass through.
    @discardableResult
    public func finish() throws -> ReplayReport {
        let report = report
        if case .fail = configuration.unmatched, !report.isComplete { throw ReplayFailure(report: report) }
        return report
    }

    /// Answers a request.
    ///
    /// - Throws: `TransportError` with the code `noFixture` if no fixture answers it, with
    ///   `requestBody` if its body failed, and with what was recorded if that is a failure.
    public func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        try await options.following(request, body: body) { request, body, options throws(TransportError) in
            try await respond(to: request, body: body, options: options)
        }
    }

    private func respond(
        to request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        guard !Task.isCancelled else { throw .cancelledInReplay }
        var incoming = OwnedRequest(request, catalog.rules)
        var body = body
        if let content = body { body = try await read(content, into: &incoming) }
        switch catalog.outcome(incoming, request) {
        case .answer(let turn):
            return try await play(turn, options: options)
        case .options(let methods):
            let fields: HTTPFields = [.allow: methods.joined(separator: ", ")]
            return Response(HTTPResponse(status: .noContent, headerFields: fields))
        case .miss:
            return try await miss(request, incoming, body: body, options: options)
        }
    }

    /// Reads a request's body to its end, as a server would.
    ///
    /// - Returns: the body, to be sent on if nothing answers.
    private func read(
        _ body: Body,
        into incoming: inout OwnedRequest
    ) async throws(TransportError) -> Body {
        do {
            let passesThrough = configuration.unmatched == .passThrough
            if body.isInMemory || passesThrough || catalog.needsBody(incoming) {
                incoming.content = try await body.collect()
                try body.check(count: incoming.content.count)
                return body.isInMemory ? body : Body(incoming.content)
            }
            var count = 0
            for try await chunk in body { count += chunk.count }
            try body.check(count: count)
            incoming.isContentComplete = false
            return body
        } catch {
            throw TransportError(readingRequestBody: error, cancelled: .cancelledInReplay)
        }
    }

    private func play(
        _ turn: ReplayCatalog.Turn,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        let answer = turn.answer
        let timer = timing.timer(for: turn.fixture, isFirst: turn.isFirst, options: options)
        if let timer, answer.delay > .zero { try await timer.pass(answer.delay, isBody: false) }
        guard let head = answer.head else {
            timer?.end()
            throw TransportError(replaying: answer)
        }
        let body: Body
        if turn.isHeadOnly {
            body = .empty
        } else if let whole = answer.body, timer == nil || !answer.hasPauses {
            body = whole
        } else {
            body = answer.stream(timer: timer)
            return Response(head, rawHead: answer.rawHead, body: body)
        }
        timer?.end()
        return Response(head, rawHead: answer.rawHead, body: body)
    }

    private func miss(
        _ request: HTTPRequest,
        _ incoming: OwnedRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        guard configuration.unmatched == .passThrough else {
            let report = catalog.missReport(incoming)
            let message = catalog.message(for: request, report, remedy: configuration.remedy)
            catalog.noteMiss(request, message)
            throw TransportError(.noFixture, message)
        }
        catalog.noteMiss(request, nil)
        var hop = options
        hop.redirects = .refuse
        return try await base.send(request, body: body, options: hop).drained(ifFollowed: options)
    }
}
