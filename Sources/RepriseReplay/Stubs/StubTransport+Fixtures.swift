// SPDX-License-Identifier: Apache-2.0

public import Reprise

extension StubTransport {
    /// Creates a stub that also answers from fixtures: cassettes, HAR files, and route files, as the mock server
    /// does.
    ///
    /// ```swift
    /// let stub = try StubTransport(fixtures: "Fixtures") {
    ///     $0.get("/users/42", .status(503))  // takes precedence over the folder
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of a folder, which is read recursively, or of a file.
    ///   - clock: The clock for the delays and pauses of routes; nil for ``Ambient/clock``, or else the system clock.
    ///   - build: Adds routes, which take precedence over the fixtures.
    /// - Throws: `FixtureProblems` with all problems found in the files, or an error from `build`.
    public convenience init(
        fixtures path: String,
        clock: (any Clock<Duration>)? = nil,
        _ build: (inout Routes) throws -> Void = { _ in }
    ) throws {
        let replay = try ReplayingTransport(path)
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
