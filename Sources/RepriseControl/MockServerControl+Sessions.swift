// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension MockServerControl {
    /// Opens a session, which has its own stubs, scenarios, sequences, and received requests, in addition to the stubs
    /// and fixtures of the server. Open one for each test that runs in parallel with others.
    ///
    /// The session's ``url`` has its own port. If that port cannot be reached, for example because a container
    /// publishes only one port, the URL has a prefix of the path instead. A session ends with ``close()``, or after an
    /// hour without requests.
    ///
    /// - Throws: ``ControlError``.
    public func openSession() async throws(ControlError) -> MockServerControl {
        let session: ServerSession = try await root.call("POST", "/reprise/sessions", [:])
        let road = try await root.road.road(to: session)
        guard let url = URL(string: road.base) else {
            throw ControlError(.unexpectedAnswer, "expected a session's URL, found '\(road.base)'")
        }
        return MockServerControl(url, sessionID: session.id, client: AdminClient(road: road), root: root)
    }

    /// Ends the session. The session's port is closed, and requests that name the session by prefix or header field get
    /// status 404. Outside a session, this method does nothing.
    ///
    /// - Throws: ``ControlError``.
    public func close() async throws(ControlError) {
        guard let sessionID else { return }
        try await root.send("DELETE", "/reprise/sessions/\(sessionID)")
    }

    /// Runs part of a test with its own session, and closes the session at the end. The requests that nothing answered
    /// are attached to the test.
    ///
    /// ```swift
    /// try await server.withSession { session in
    ///     try await session.stub(.get("/profile"), .json(["name": "Ada"]))
    ///     …
    /// }
    /// ```
    ///
    /// - Throws: ``ControlError`` if the session cannot be opened, and the error that `body` throws.
    public func withSession<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (MockServerControl) async throws -> Result
    ) async throws -> Result {
        let session = try await openSession()
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(session)) } catch { result = .failure(error) }
        await session.attachUnansweredRequests()
        try? await session.close()
        return try result.get()
    }

    /// Attaches the requests that nothing answered to the running test. If there are none, nothing is attached. XCTest
    /// on Linux has no attachments, so they are printed to standard error.
    public func attachUnansweredRequests() async {
        guard let explanation = await unansweredExplanation() else { return }
        await TestPlace.attach(explanation + "\n", named: "unanswered-requests.txt")
    }

    /// Returns the requests that nothing answered, each with the nearest stub; nil if there are none.
    package func unansweredExplanation() async -> String? {
        guard let requests = try? await unansweredRequests(), !requests.isEmpty else { return nil }
        let misses: AdminList<NearMiss>? = try? await client.callDetailed("GET", "/requests/unmatched/near-misses")
        var lines = ["The mock server had no answer to:"]
        for request in requests {
            let miss = misses?.elements.first { $0.request.url == request.url && $0.request.method == request.method }
            guard let miss else {
                lines.append("  \(request.method) \(request.url)")
                continue
            }
            lines += miss.lines
            if let stub = miss.stub { lines.append("    The nearest stub: \(stub.request.shownPattern)") }
        }
        return lines.joined(separator: "\n")
    }
}
