// SPDX-License-Identifier: Apache-2.0

public import Reprise
internal import RepriseAnswers
public import RepriseFixtures
internal import RepriseMatching
public import RepriseStubAnswers
public import RepriseText

/// A transport that replays recorded answers in the same process, with the original header lines, chunk boundaries,
/// pauses, trailer fields, and endings. It uses the same fixtures as the mock server.
///
/// ```swift
/// let transport = try ReplayingTransport("Fixtures/users.cassette.json")
/// let api = Client("https://staging.example.com", transport: transport)
/// let user: User = try await api.get("/users/42").value()
/// try transport.finish()
/// ```
///
/// A replay is strict. A request that no fixture answers fails with `noFixture`. The message shows the nearest
/// fixture, field by field, and the command that records what is missing. Requests that are equal in every compared
/// part get the recorded answers in order of arrival, across all tasks. Each is played once, unless
/// ``Configuration/afterLast`` says otherwise.
///
/// Redirects are followed as with any transport. Recorded time takes no real time unless ``Configuration/pace`` says
/// otherwise.
public final class ReplayingTransport: TimekeepingTransport {
    /// How the transport replays.
    public let configuration: Configuration
    private let catalog: ReplayCatalog
    let timing: ReplayTiming
    /// The reason that ``Configuration/bends`` cannot apply to fixtures in memory.
    private let bendProblems: FixtureProblems?

    /// Creates a replay of fixtures.
    ///
    /// - Parameters:
    ///   - fixtures: The fixtures, in file order. `Matcher.custom` and `Pace.virtual` require their
    ///     `Fixture.recording`.
    ///   - stubs: The stubs, in file order: of those with the same priority, the last one that matches answers.
    ///   - configuration: How to replay. If its ``Configuration/bends`` cannot apply, every request fails, and so does
    ///     ``finish()``.
    public convenience init(
        fixtures: [Fixture] = [],
        stubs: [StubFixture] = [],
        configuration: Configuration = Configuration()
    ) {
        self.init(fixtures: fixtures, stubs: stubs, configuration: configuration) { _ in configuration.chunking }
    }

    /// Creates a replay with a separate chunking for each fixture. Stubs follow the fixtures.
    package init(
        fixtures: [Fixture],
        stubs: [StubFixture] = [],
        configuration: Configuration,
        chunking: @escaping @Sendable (_ fixture: Int) -> Chunking
    ) {
        self.configuration = configuration
        var fixtures = fixtures
        var problems: FixtureProblems?
        do throws(FixtureProblems) {
            fixtures = try fixtures.bent(by: configuration.bends, configuration.rules(for: fixtures).options)
        } catch {
            problems = error
        }
        bendProblems = problems
        catalog = ReplayCatalog(fixtures, stubs: stubs, configuration, chunking: chunking)
        timing = ReplayTiming(configuration, fixtures)
    }

    /// Creates a replay of the fixtures at `paths`: files, and folders, which are read recursively.
    ///
    /// - Parameters:
    ///   - paths: Cassettes, HAR files, route files, stub mappings, and folders of them.
    ///   - configuration: How to replay.
    /// - Throws: All problems found in the files.
    public convenience init(
        paths: [String],
        configuration: Configuration = Configuration()
    ) throws(FixtureProblems) {
        try self.init(paths: paths, and: [], configuration: configuration)
    }

    /// Creates a replay of the fixtures at `paths`, followed by `fixtures`.
    convenience init(
        paths: [String],
        and fixtures: [Fixture],
        configuration: Configuration
    ) throws(FixtureProblems) {
        // Only the recording has the time of a failure, and the server that a miss suggests to record.
        let set = try FixtureLoader.load(paths, keepsRecordings: true, stubOptions: configuration.stubs)
        var configuration = configuration
        if configuration.redaction == nil {
            configuration.redaction = try RedactionFile.redactionOfTexts(aboutFixturesAt: paths)
        }
        self.init(fixtures: set.fixtures + fixtures, stubs: set.stubs, configuration: configuration)
        if let bendProblems { throw bendProblems }
    }

    /// Creates a replay of the fixtures at `path`: a cassette, a HAR file, or a folder.
    ///
    /// - Parameters:
    ///   - path: The path of the fixtures.
    ///   - matching: The parts of a request that must match the recording.
    ///   - pace: How fast recorded time passes.
    ///   - chunking: How bodies are split into chunks.
    ///   - unmatched: What happens to a request that no fixture answers.
    /// - Throws: All problems found in the files.
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

    /// Whether the transport enforces `RequestOptions.timeout`. This is true, because the replay's pace controls time.
    /// If requests may pass through, it is the value of the transport that they pass through to.
    public var enforcesTimeout: Bool {
        switch configuration.unmatched {
        case .fail: configuration.proxy?.enforcesTimeout ?? true
        case .passThrough: base.enforcesTimeout && configuration.proxy?.enforcesTimeout ?? true
        }
    }

    /// Whether the transport also enforces timeouts on `clock`, so that the client does not have to.
    package func enforcesTimeout(on clock: any Clock<Duration>) -> Bool {
        guard case .fail = configuration.unmatched, configuration.proxy == nil else { return false }
        return timing.keepsTime(on: clock)
    }

    /// The transport for requests that pass through.
    private var base: any Transport { configuration.base ?? AmbientTransport() }

    /// The clock of the replay. Use it for a client's retries and pauses, so that they take no real time either. Nil
    /// if the client's own clock is used.
    public var clock: (any Clock<Duration>)? { timing.virtual ?? configuration.clock }

    /// The indices of the fixtures that answered a request.
    package var played: [Int] { catalog.used }

    /// The result so far.
    public var report: ReplayReport { catalog.report }

    /// Ends the replay and checks it.
    ///
    /// - Returns: The result of the replay.
    /// - Throws: ``ReplayFailure`` if there were misses or unused exchanges. Nothing is thrown if requests may pass
    ///   through.
    @discardableResult
    public func finish() throws -> ReplayReport {
        if let bendProblems { throw bendProblems }
        let report = report
        if case .fail = configuration.unmatched, !report.isComplete { throw ReplayFailure(report: report) }
        return report
    }

    /// Answers a request.
    ///
    /// - Throws: `TransportError`: with the code `noFixture` if no fixture answers the request, with `requestBody` if
    ///   its body failed, or with the recorded failure.
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
        if let bendProblems { throw TransportError(.noFixture, "\(bendProblems)", underlying: bendProblems) }
        var incoming = OwnedRequest(request, hasAllLines: catalog.needsHeaderLines(request))
        var body = body
        if let content = body { body = try await read(content, into: &incoming) }
        switch catalog.outcome(incoming, request) {
        case .answer(let turn):
            return try await play(turn, options: options).decoded(answering: request, options)
        case .options(let methods):
            let fields: HTTPFields = [.allow: methods.joined(separator: ", ")]
            return Response(HTTPResponse(status: .noContent, headerFields: fields), body: .empty.readOnce())
        case .proxy(let turn):
            return try await forward(request, turn, body: body, options: options)
        case .miss(let compared):
            return try await miss(request, incoming, compared, body: body, options: options)
        }
    }

    /// Reads a request's body to its end, as a server does.
    ///
    /// - Returns: The body, to be sent if the request passes through.
    private func read(
        _ body: Body,
        into incoming: inout OwnedRequest
    ) async throws(TransportError) -> Body {
        do {
            let passesThrough = configuration.unmatched == .passThrough
            if body.isInMemory || passesThrough || catalog.needsBody(incoming) {
                incoming.content = try await body.collect()
                try body.check(count: incoming.content.count)
                return body.isInMemory && body.isReplayable ? body : Body(incoming.content)
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
        let delay = answer.delay + turn.delay
        if let timer, delay > .zero { try await timer.pass(delay, isBody: false) }
        guard let head = answer.head else {
            timer?.end()
            if answer.failure == .cancelled { throw await silence(recorded: answer.delay, options.timeout) }
            throw TransportError(replaying: answer)
        }
        let body: Body
        if turn.isHeadOnly {
            body = .empty.readOnce()
        } else if let whole = answer.body, timer == nil || !answer.hasPauses {
            body = whole.readOnce()
        } else {
            body = answer.stream(timer: timer)
            return Response(head, rawHead: answer.rawHead, body: body)
        }
        timer?.end()
        return Response(head, rawHead: answer.rawHead, body: body)
    }

    /// Waits until the client cancels the request, as it did when this was recorded, or until its timeout in real time,
    /// because nothing on the replay's clock cancels it.
    ///
    /// To a server that records, a timeout of the client looks like a cancellation. If the recorded wait was about as
    /// long as the client's timeout, the request times out, which takes no real time.
    ///
    /// - Returns: The error of the request.
    private func silence(recorded delay: Duration, _ timeout: Duration?) async -> TransportError {
        if let timeout, delay >= timeout * 0.95 { return .silent(timeout) }
        let limit = timeout ?? .seconds(100 * 365 * 86_400)
        do {
            try await ContinuousClock().sleep(for: limit)
            return .silent(limit)
        } catch {
            return .cancelledInReplay
        }
    }

    private func miss(
        _ request: HTTPRequest,
        _ incoming: OwnedRequest,
        _ compared: OwnedRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        guard configuration.unmatched == .passThrough else {
            let report = catalog.missReport(incoming, compared, request)
            let message = catalog.message(for: request, report, configuration)
            catalog.noteMiss(request, message)
            throw TransportError(.noFixture, message)
        }
        catalog.noteMiss(request, nil)
        var hop = options
        hop.redirects = .dontFollow
        return try await base.send(request, body: body, options: hop).drained(ifFollowed: options)
    }
}
