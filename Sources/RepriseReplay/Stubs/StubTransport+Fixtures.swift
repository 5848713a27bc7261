// SPDX-License-Identifier: Apache-2.0

public import Reprise
internal import RepriseFixtures
public import RepriseStubAnswers
public import RepriseStubs

extension StubTransport {
    /// Creates a stub that also answers from fixtures: cassettes, HAR files, route files, and stub mappings, as the
    /// mock server does.
    ///
    /// ```swift
    /// let stub = try StubTransport(fixtures: "Fixtures") {
    ///     $0.get("/users/42", .status(503))  // takes precedence over the folder
    /// }
    /// ```
    ///
    /// The delays of stub mappings pass on the clock, as those of routes do. Recorded pauses take no time. To wait for
    /// them, use ``ReplayingTransport``.
    ///
    /// - Parameters:
    ///   - path: The path of a folder, which is read recursively, or of a file.
    ///   - options: How stub mappings answer.
    ///   - clock: The clock for delays and pauses; nil for ``Ambient/clock``, or else the system clock.
    ///   - build: Adds routes, which take precedence over the fixtures.
    /// - Throws: `FixtureProblems` with all problems found in the files, or an error from `build`.
    public convenience init(
        fixtures path: String,
        options: StubOptions = StubOptions(),
        clock: (any Clock<Duration>)? = nil,
        _ build: (inout Routes) throws -> Void = { _ in }
    ) throws {
        let replay = try ReplayingTransport(paths: [path], configuration: .init(options, clock: clock))
        try self.init(replay, clock: clock, build)
    }

    /// Creates a stub that answers with stub mappings. They can compare more parts of a request than routes can, can
    /// have templates and scenarios, and can be saved to files for the mock server.
    ///
    /// ```swift
    /// let stub = try StubTransport(stubs: [
    ///     StubMapping(.get("/users/{id}"), .json(["id": "42"])),
    ///     StubMapping(.post("/users").body(.matchesJSONPath("$.name")), .status(201)),
    /// ])
    /// ```
    ///
    /// Of the stubs that match a request, the one with the lowest priority number answers, and of these the last one in
    /// the list. Their delays pass on the clock.
    ///
    /// - Parameters:
    ///   - stubs: The stub mappings.
    ///   - options: How they answer.
    ///   - clock: The clock for delays and pauses; nil for ``Ambient/clock``, or else the system clock.
    ///   - build: Adds routes, which take precedence over the stub mappings.
    /// - Throws: `FixtureProblems` if a condition is invalid, such as a regular expression with a syntax error, or an
    ///   error from `build`.
    public convenience init(
        stubs: [StubMapping],
        options: StubOptions = StubOptions(),
        clock: (any Clock<Duration>)? = nil,
        _ build: (inout Routes) throws -> Void = { _ in }
    ) throws {
        let stubs = try [StubFixture](stubs, options: options)
        let replay = ReplayingTransport(stubs: stubs, configuration: .init(options, clock: clock))
        try self.init(replay, clock: clock, build)
    }

    private convenience init(
        _ replay: ReplayingTransport,
        clock: (any Clock<Duration>)?,
        _ build: (inout Routes) throws -> Void
    ) throws {
        try self.init(clock: clock) { routes in
            routes.all { request in
                var options = request.options
                options.redirects = .dontFollow
                let body = request.body.isEmpty ? nil : Body(request.body)
                return .response(try await replay.send(request.head, body: body, options: options))
            }
            try build(&routes)
        }
    }
}

extension ReplayingTransport.Configuration {
    fileprivate init(_ options: StubOptions, clock: (any Clock<Duration>)?) {
        self.init(afterLast: .repeat, stubs: options, clock: clock)
        keepsStubDelays = true
    }
}
