// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin

extension MockServerControl {
    /// The requests that the server received, oldest first, with their answers. When its journal is full, the server
    /// drops the oldest ones.
    public var events: [ServeEvent] {
        get async throws(ControlError) {
            let list: AdminList<ServeEvent> = try await client.callDetailed("GET", "/requests")
            return list.elements.reversed()
        }
    }

    /// Returns the requests that satisfy the conditions, oldest first.
    ///
    /// - Throws: ``ControlError``.
    public func requests(matching request: StubRequest = .all) async throws(ControlError) -> [LoggedRequest] {
        let list: AdminList<LoggedRequest> = try await client.call("POST", "/requests/find", request.json)
        return list.elements
    }

    /// Returns the requests that nothing answered, newest first.
    ///
    /// - Throws: ``ControlError``.
    public func unansweredRequests() async throws(ControlError) -> [LoggedRequest] {
        let list: AdminList<LoggedRequest> = try await client.call("GET", "/requests/unmatched")
        return list.elements
    }

    /// Waits for a request that satisfies the conditions, and returns it. A request that has already arrived counts,
    /// unless an earlier call with the same conditions has returned it.
    ///
    /// ```swift
    /// let request = try await server.next(.post("/analytics"), within: .seconds(2))
    /// ```
    ///
    /// - Throws: ``ControlError`` if no request arrives in time, with the nearest requests.
    public func next(_ request: StubRequest, within time: Duration) async throws(ControlError) -> LoggedRequest {
        let skipped = waits.take(request)
        do throws(ControlError) { return try await next(request, skipping: skipped, within: time) } catch {
            waits.giveBack(request)
            throw error
        }
    }

    /// Waits for a request that satisfies the conditions, and returns it.
    ///
    /// - Parameters:
    ///   - request: The conditions.
    ///   - skipped: The number of matching requests to skip.
    ///   - time: How long to wait, up to a minute.
    /// - Throws: ``ControlError`` if no request arrives in time, with the nearest requests.
    public func next(
        _ request: StubRequest,
        skipping skipped: Int,
        within time: Duration
    ) async throws(ControlError) -> LoggedRequest {
        let time = min(time, .seconds(60))
        let milliseconds = Int(time / .milliseconds(1))
        let wait = RequestWait(request, skip: skipped, milliseconds: milliseconds)
        let timeout = Double(milliseconds) / 1000 + 30
        let list: AdminList<LoggedRequest> = try await client.call(
            "POST",
            "/reprise/requests/next",
            wait.json,
            timeout: timeout
        )
        if let first = list.elements.first { return first }
        let failure = VerificationFailure(
            request,
            expected: .atLeast(skipped + 1),
            found: skipped,
            nearest: try await nearest(to: request)
        )
        throw ControlError(.timedOut, "\(failure.description)\nNo further request arrived within \(time).")
    }

    /// Checks how many requests satisfy the conditions. If the number is not as expected, the test fails at the line of
    /// the call, with the nearest requests, and continues.
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
        let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
        do throws(ControlError) {
            let found = try await requests(matching: request)
            if !count.includes(found.count) {
                let nearest = found.isEmpty ? try await nearest(to: request) : []
                place.recordFailure(
                    "\(VerificationFailure(request, expected: count, found: found.count, nearest: nearest))"
                )
            }
            return found
        } catch {
            place.recordFailure("\(error)")
            return []
        }
    }

    private func nearest(to request: StubRequest) async throws(ControlError) -> [NearMiss] {
        let list: AdminList<NearMiss> = try await client.callDetailed(
            "POST",
            "/near-misses/request-pattern",
            request.json
        )
        return list.elements
    }
}
