// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(3))) struct RetryPolicyTests {
    private struct Mine: Error {}
    private struct Final: NeverRetried {}

    private func failure(
        _ error: any Error = ClientError(.status, "so"),
        number: Int = 1,
        method: HTTPRequest.Method = .get,
        status: Int? = nil,
        _ fields: HTTPFields = [:]
    ) -> FailedAttempt {
        FailedAttempt(
            number: number,
            error: error,
            request: HTTPRequest(path: "/", method: method),
            response: status.map { HTTPResponse(status: .init(code: $0), headerFields: fields) }
        )
    }

    private func connectivity(_ code: TransportError.Code) -> ClientError {
        ClientError(TransportError(code, "so"), request: HTTPRequest(path: "/", method: .get))
    }

    private let fixed = RetryPolicy.fixed(delay: .seconds(2))

    // MARK: Conditions

    @Test func makesThreeAttemptsByDefault() async {
        for policy in [RetryPolicy.fixed(), .exponential(), RetryPolicy { _ in .zero }] {
            #expect(await policy.delay(after: failure(number: 2, status: 503)) != nil)
            #expect(await policy.delay(after: failure(number: 3, status: 503)) == nil)
        }
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func retriesTransientStatuses(status: Int) async {
        #expect(await fixed.delay(after: failure(status: status)) == .seconds(2))
        #expect(await fixed.delay(after: failure(Mine(), status: status)) == .seconds(2))
    }

    @Test(arguments: [200, 301, 400, 401, 403, 404, 409, 422, 501, 505])
    func doesNotRetryOtherStatuses(status: Int) async {
        #expect(await fixed.delay(after: failure(status: status)) == nil)
    }

    @Test(arguments: [
        TransportError.Code.offline, .nameNotResolved, .connectionRefused, .reset, .truncated, .timedOut,
    ])
    func retriesConnectivityFailures(code: TransportError.Code) async {
        #expect(await fixed.delay(after: failure(connectivity(code))) == .seconds(2))
        // Also if the head of the response has arrived.
        #expect(await fixed.delay(after: failure(connectivity(code), status: 200)) == .seconds(2))
        // A closure may throw the transport error itself.
        #expect(await fixed.delay(after: failure(TransportError(code, "so"))) == .seconds(2))
    }

    @Test(arguments: [TransportError.Code.tls, .malformedResponse, .invalidRequest, .noStub, .cancelled, .other])
    func doesNotRetryOtherFailures(code: TransportError.Code) async {
        #expect(await fixed.delay(after: failure(connectivity(code))) == nil)
        #expect(await fixed.delay(after: failure(TransportError(code, "so"))) == nil)
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .put, .delete, .options, .trace])
    func retriesIdempotentMethods(method: HTTPRequest.Method) async {
        #expect(await fixed.delay(after: failure(method: method, status: 503)) != nil)
    }

    @Test(arguments: [HTTPRequest.Method.post, .patch, .connect, .init("PURGE")!])
    func retriesOtherMethodsOnlyIfAllowed(method: HTTPRequest.Method) async {
        #expect(await fixed.delay(after: failure(method: method, status: 503)) == nil)
        #expect(await fixed.also(method).delay(after: failure(method: method, status: 503)) == .seconds(2))
        #expect(await fixed.also(method).delay(after: failure(method: .get, status: 503)) == .seconds(2))
    }

    @Test func checksCustomConditionBeforeCustomDelay() async {
        let policy = RetryPolicy { _ in .seconds(2) }.when { $0.response?.status == .conflict }
        #expect(await policy.delay(after: failure(status: 503)) == nil)
        #expect(await policy.delay(after: failure(status: 409)) == .seconds(2))
    }

    @Test func neverRetriesFinalErrors() async {
        let eager = RetryPolicy { _ in .zero }
        for policy in [fixed.when { _ in true }, eager] {
            #expect(await policy.delay(after: failure(Mine(), status: 404)) != nil)
            #expect(await policy.delay(after: failure(Final(), status: 503)) == nil)
            let wrapped = ClientError(.transport, "so", underlying: Final())
            #expect(await policy.delay(after: failure(wrapped)) == nil)
            #expect(await policy.delay(after: failure(CancellationError())) == nil)
            #expect(await policy.delay(after: failure(TransportError(.cancelled, "so"))) == nil)
            #expect(await policy.delay(after: failure(Mine(), status: 401)) == nil)
            for code in [
                ClientError.Code.cancelled, .unauthorized, .authenticationRequired, .noAuthProvider,
            ] {
                #expect(await policy.delay(after: failure(ClientError(code, "so"))) == nil)
            }
        }
    }

    @Test func customConditionReplacesStatusRule() async {
        let policy = fixed.when { failure in
            await Task.yield()
            return failure.error is Mine && failure.number == 1
        }
        #expect(await policy.delay(after: failure(Mine())) == .seconds(2))
        #expect(await policy.delay(after: failure(Mine(), number: 2)) == nil)
        // The condition replaces the rule for statuses.
        #expect(await policy.delay(after: failure(status: 503)) == nil)
    }

    @Test(arguments: [(Int.min, 1), (-1, 1), (0, 1), (1, 1), (7, 7), (100, 100), (101, 100), (Int.max, 100)])
    func clampsAttemptsTo100(attempts: Int, expected: Int) {
        #expect(RetryPolicy.fixed(attempts: attempts).attempts == expected)
        #expect(RetryPolicy(attempts: attempts) { _ in .zero }.attempts == expected)
        var policy = RetryPolicy.never
        #expect(policy.attempts == 1)
        policy.attempts = attempts
        #expect(policy.attempts == expected)
    }

    // MARK: Delays

    @Test func fixedDelayIsConstant() async {
        let policy = RetryPolicy.fixed(attempts: 5, delay: .seconds(3))
        for number in 1...4 {
            #expect(await policy.delay(after: failure(number: number, status: 503)) == .seconds(3))
        }
    }

    @Test func exponentialDelayDoublesFromSecondRetry() async {
        let policy = RetryPolicy.exponential(attempts: 9, delay: .seconds(1), maximumDelay: .seconds(5), jitter: .none)
        var delays: [Duration?] = []
        for number in 1...9 { delays.append(await policy.delay(after: failure(number: number, status: 503))) }
        #expect(delays == [.seconds(1), .seconds(2), .seconds(4)] + Array(repeating: .seconds(5), count: 5) + [nil])
    }

    @Test func usesCustomDelaysWithinBounds() async {
        let policy = RetryPolicy(attempts: 5) { failure in
            failure.number == 1 ? .seconds(-7) : failure.number == 2 ? .seconds(Int64.max) : nil
        }
        #expect(await policy.delay(after: failure(Mine())) == .zero)
        #expect(await policy.delay(after: failure(Mine(), number: 2)) == .longest)
        #expect(await policy.delay(after: failure(Mine(), number: 3)) == nil)
    }

    @Test(arguments: [
        ("7", Duration.seconds(7)), ("0", .zero), ("60", .seconds(60)), ("61", .seconds(60)),
        ("99999999999999999999999999999999", .seconds(60)), ("Sun, 06 Nov 1994 08:50:00 GMT", .seconds(23)),
        ("Sunday, 06-Nov-94 08:49:40 GMT", .seconds(3)), ("Sun Nov  6 09:49:37 1994", .seconds(60)),
        ("Sun, 06 Nov 1994 08:49:00 GMT", .zero), ("soon", .seconds(2)), ("-3", .seconds(2)), ("1.5", .seconds(2)),
        ("", .seconds(2)),
    ])
    func honorsRetryAfterUpToCap(retryAfter: String, expected: Duration) async {
        let fields: HTTPFields = [.retryAfter: retryAfter, .date: "Sun, 06 Nov 1994 08:49:37 GMT"]
        #expect(await fixed.delay(after: failure(status: 503, fields)) == expected)
        #expect(await fixed.delay(after: failure(Mine(), status: 429, fields)) == expected)
    }

    @Test func usesLocalTimeIfResponseHasNoDate() async {
        let fields: HTTPFields = [.retryAfter: "Fri, 31 Dec 9999 23:59:59 GMT"]
        #expect(await fixed.delay(after: failure(status: 503, fields)) == .seconds(60))
        #expect(failure(status: 503, fields).retryAfter! > .seconds(86_400))
    }

    @Test func initializersSetAllRules() async {
        let policies: [RetryPolicy] = [
            .fixed(statusCodes: [503], methods: [.post], longestRetryAfter: .seconds(600)),
            .exponential(statusCodes: [503], methods: [.post], longestRetryAfter: .seconds(600)),
        ]
        for policy in policies {
            #expect(policy.statusCodes == [503])
            #expect(policy.methods == [.post])
            #expect(policy.longestRetryAfter == .seconds(600))
        }
        #expect(RetryPolicy(methods: [.post]) { _ in nil }.methods == [.post])
    }

    @Test func usesCustomCapForRetryAfter() async {
        var policy = fixed
        policy.longestRetryAfter = .seconds(600)
        #expect(await policy.delay(after: failure(status: 503, [.retryAfter: "300"])) == .seconds(300))
        policy.longestRetryAfter = .seconds(-1)
        #expect(await policy.delay(after: failure(status: 503, [.retryAfter: "300"])) == .zero)
    }

    // MARK: Closures

    @Test func retriesAnyClosure() async throws {
        let clock = ManualClock(passesBySleeping: true)
        let policy = RetryPolicy.exponential(delay: .seconds(1), jitter: .none)
        let value = try await policy.run(on: clock) { attempt in
            if attempt < 3 { throw connectivity(.offline) }
            return attempt
        }
        #expect(value == 3)
        #expect(clock.sleeps == [.seconds(1), .seconds(2)])
        await #expect(throws: Mine.self) { try await policy.run(on: clock) { _ in throw Mine() } }
        #expect(clock.sleeps.count == 2)
        var count = 0
        await #expect(throws: Mine.self) {
            try await policy.when { _ in true }.run(on: clock) { _ in
                count += 1
                throw Mine()
            }
        }
        #expect(count == 3)
    }

    @Test func cancellationEndsWaitOfClosure() async {
        let clock = ManualClock()
        let task = Task {
            try await RetryPolicy.fixed().run(on: clock) { _ in throw TransportError(.offline, "so") }
        }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func usesAmbientClock() async throws {
        let clock = ManualClock(passesBySleeping: true)
        let attempts = try await Ambient.$clock.withValue(clock) {
            try await RetryPolicy.fixed(delay: .seconds(3600)).run { attempt in
                if attempt == 1 { throw TransportError(.offline, "so") }
                return attempt
            }
        }
        #expect(attempts == 2)
        #expect(clock.sleeps == [.seconds(3600)])
    }
}
