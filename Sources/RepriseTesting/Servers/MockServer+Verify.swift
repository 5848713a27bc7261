// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
    internal import RepriseAdmin
    public import RepriseControl
    public import RepriseServer

    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    extension MockServer {
        /// Checks how many requests satisfy the conditions. If the number is not as expected, the test fails at the
        /// line of the call, with the nearest requests, and continues.
        ///
        /// ```swift
        /// await server.verify(.post("/users").body(.matchesJSONPath("$.name")), .exactly(1))
        /// ```
        ///
        /// Call this method in the test's task, so that Swift Testing knows which test failed.
        ///
        /// - Parameters:
        ///   - request: The conditions.
        ///   - count: The expected number. The default is one or more.
        ///   - fileID: The test's module and file. Omit this argument.
        ///   - filePath: The path of the test's source file. Omit this argument.
        ///   - line: The line of the call. Omit this argument.
        ///   - column: The column of the call. Omit this argument.
        /// - Returns: The requests that satisfy the conditions, oldest first.
        @discardableResult
        public func verify(
            _ request: StubRequest,
            _ count: RequestCount = .atLeast(1),
            fileID: StaticString = #fileID,
            filePath: StaticString = #filePath,
            line: UInt = #line,
            column: UInt = #column
        ) async -> [LoggedRequest] {
            await controlled.verify(
                request,
                count,
                fileID: fileID,
                filePath: filePath,
                line: line,
                column: column
            )
        }

        /// Returns the requests that satisfy the conditions, oldest first.
        ///
        /// - Throws: `ControlError` if a condition is invalid, such as a regular expression with a syntax error.
        public func requests(matching request: StubRequest = .all) async throws(ControlError) -> [LoggedRequest] {
            try await controlled.requests(matching: request)
        }

        /// Waits for a request that satisfies the conditions, and returns it. A request that has already arrived
        /// counts.
        ///
        /// - Parameters:
        ///   - request: The conditions.
        ///   - skipped: The number of matching requests to skip.
        ///   - time: How long to wait, up to a minute.
        /// - Throws: `ControlError` if no request arrives in time, with the nearest requests.
        public func next(
            _ request: StubRequest,
            skipping skipped: Int = 0,
            within time: Duration
        ) async throws(ControlError) -> LoggedRequest {
            try await controlled.next(request, skipping: skipped, within: time)
        }

        /// Opens a session, which has its own stubs, scenarios, sequences, and received requests, in addition to the
        /// stubs and fixtures of the server. Open one for each test that runs in parallel with others.
        ///
        /// - Throws: `ControlError` if no port is free, or if there are 10,000 sessions.
        public func openSession() async throws(ControlError) -> MockServerControl {
            try await controlled.openSession()
        }

        /// The server, with the same API as a server in another process.
        var controlled: MockServerControl { MockServerControl(url, ServerRoad(server: self, session: nil)) }
    }

    /// Access to a server in this process.
    private struct ServerRoad: AdminRoad {
        let server: MockServer
        let session: ServerSession?

        var base: String { session.map { $0.url ?? $0.prefixURL } ?? server.url.absoluteString }

        func answer(
            _ method: String,
            _ target: String,
            _ content: [UInt8]?,
            timeout: Double
        ) async throws(ControlError) -> (status: Int, content: [UInt8]) {
            await server.adminAnswer(method, target, content ?? [], session: session?.id)
        }

        func road(to session: ServerSession) async throws(ControlError) -> any AdminRoad {
            ServerRoad(server: server, session: session)
        }
    }
#endif
