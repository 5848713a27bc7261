// SPDX-License-Identifier: Apache-2.0

public import Reprise

extension StubTransport {
    /// A stub that answers from the fixtures that the mock server serves: cassettes, captures and route files.
    ///
    /// ```swift
    /// let stub = try StubTransport(fixtures: "Fixtures") {
    ///     $0.get("/users/42", .status(503))  // goes before what the folder has
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: a folder, read recursively, or a file.
    ///   - clock: on which the delays and pauses of routes pass; nil for ``Ambient/clock``, or else the system's.
    ///   - build: adds routes, which go before the fixtures.
    /// - Throws: `FixtureProblems`, all that is wrong with the files, and what `build` throws.
    public convenience init(
        fixtures path: String,
        clock: (any Clock<Duration>)? = nil,
        _ build: (inout Routes) throws -> Void = { _ in }
    ) throws {
        let replay = try ReplayingTransport(path)
        try self.init(clock: clock) { routes in
            routes.all { request in
                var options = request.options
                options.redirects = .refuse
                let body = request.body.isEmpty ? nil : Body(request.body)
                return .response(try await replay.send(request.head, body: body, options: options))
            }
            try build(&routes)
        }
    }
}
