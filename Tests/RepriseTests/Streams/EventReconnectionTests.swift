// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

/// The inputs and outputs of the state machine, without connections and without a clock.
@Suite struct EventReconnectionTests {
    private func reconnection(delay: Duration = .seconds(3), maximum: Duration = .seconds(60)) -> EventReconnection {
        EventReconnection(policy: EventReconnectionPolicy(delay: delay, maximumDelay: maximum))
    }

    /// The events of a connection that delivers `text` and then ends.
    private func connect(_ reconnection: inout EventReconnection, _ text: String) throws -> [String] {
        if reconnection.state != .connecting { reconnection.waited() }
        reconnection.opened()
        reconnection.append(Array(text.utf8))
        var data: [String] = []
        while let event = try reconnection.next() { data.append("\(event.id) \(event.data)") }
        reconnection.lost()
        return data
    }

    @Test func followsStateTransitions() throws {
        var stream = reconnection()
        #expect(stream.state == .connecting)
        stream.opened()
        #expect(stream.state == .open)
        stream.lost()
        #expect(stream.state == .waiting(.seconds(3)))
        #expect(try stream.next() == nil)
        stream.waited()
        #expect(stream.state == .connecting)
        stream.close()
        #expect(stream.state == .closed)
    }

    @Test func continuesAfterLastEventID() throws {
        var stream = reconnection()
        #expect(stream.lastEventID == "")
        #expect(try connect(&stream, "id: 1\ndata: a\n\nid: 2\ndata: cut off\n") == ["1 a"])
        #expect(stream.lastEventID == "1")
        // The truncated event is discarded, and the ID remains until there is another one.
        #expect(try connect(&stream, "data: b\n\nid: 3\n\n") == ["1 b"])
        #expect(stream.lastEventID == "3")
        #expect(try connect(&stream, "id\n\n").isEmpty)
        #expect(stream.lastEventID == "")
    }

    @Test func throwsForLineOverLimit() throws {
        var stream = EventReconnection(policy: EventReconnectionPolicy(), maxEventLength: 4)
        stream.opened()
        stream.append(Array("data: x\n".utf8))
        #expect(throws: StreamDecodingError.self) { try stream.next() }
    }

    @Test func honorsRetryFieldUpToOneHour() throws {
        var stream = reconnection()
        _ = try connect(&stream, "data: x\n\n")
        #expect(stream.state == .waiting(.seconds(3)))
        _ = try connect(&stream, "retry: 200\ndata: x\n\n")
        #expect(stream.state == .waiting(.milliseconds(200)))
        // The value persists across connections until the stream sends another one, even in a truncated event.
        _ = try connect(&stream, "data: x\n\n")
        #expect(stream.state == .waiting(.milliseconds(200)))
        _ = try connect(&stream, "data: x\nretry: 120000\n")
        #expect(stream.state == .waiting(.seconds(120)))
        _ = try connect(&stream, "data: x\n\nretry: 0\n\n")
        #expect(stream.state == .waiting(.zero))
        _ = try connect(&stream, "retry: 99999999999999999999\n\n")
        #expect(stream.state == .waiting(.seconds(3600)))
    }

    @Test func backsOffWithEachFailedAttempt() throws {
        var stream = reconnection()
        var delays: [Int64] = []
        for _ in 0..<200 {
            stream.lost()
            guard case .waiting(let delay) = stream.state else { break }
            delays.append(delay.components.seconds)
            stream.waited()
        }
        #expect(delays.prefix(7) == [3, 6, 12, 24, 48, 60, 60])
        #expect(delays.count == 200)
        #expect(delays.dropFirst(5).allSatisfy { $0 == 60 })
        _ = try connect(&stream, "data: x\n\n")
        #expect(stream.state == .waiting(.seconds(3)))
        stream.waited()
        stream.lost()
        #expect(stream.state == .waiting(.seconds(3)))
    }

    @Test(arguments: [
        (Duration.zero, Duration.seconds(60), [Duration.zero, .milliseconds(200), .milliseconds(400)]),
        (.seconds(90), .seconds(60), [.seconds(90), .seconds(90), .seconds(90)]),
        (.seconds(2), .seconds(5), [.seconds(2), .seconds(4), .seconds(5)]),
        (.seconds(-1), .seconds(-1), [.zero, .zero, .zero]),
        (.seconds(Int64.max), .seconds(Int64.max), [.seconds(3600), .seconds(7200), .seconds(14400)]),
    ])
    func clampsDelaysToBounds(delay: Duration, maximum: Duration, expected: [Duration]) {
        let policy = EventReconnectionPolicy(delay: delay, maximumDelay: maximum)
        #expect((1...3).map { policy.delay(wish: nil, failures: $0, isFruitless: false) } == expected)
        _ = policy.delay(wish: nil, failures: 1_000_000, isFruitless: false)
    }

    /// A server that requests no delay and closes the connection before it sends an event must not cause a tight loop.
    @Test(arguments: ["", ":\n", "retry: 0\n\n", "id: 1\n\n", "event: a\n\n", "data: cut off\n"])
    func waitsOneSecondAfterFruitlessConnections(text: String) throws {
        var stream = reconnection()
        #expect(try connect(&stream, "retry: 0\ndata: x\n\n") == [" x"])
        #expect(stream.state == .waiting(.zero))
        for _ in 0..<3 {
            #expect(try connect(&stream, text).isEmpty)
            #expect(stream.state == .waiting(.seconds(1)))
        }
    }
}
