// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Appends the events of one loop to a queue.
final class EventFeed: EventSubscriber {
    let queue: EventQueue
    private let loop: Int

    /// - Parameter loop: The number of the loop. Only the first one reports changes, which all loops see.
    init(_ queue: EventQueue, loop: Int) {
        self.queue = queue
        self.loop = loop
    }

    func received(_ request: Int, head: Span<UInt8>, session: SessionID?) {
        // Empty lines can precede a request (RFC 9112 section 2.2).
        var start = 0
        while start < head.count, head[start] == 0x0D || head[start] == 0x0A { start += 1 }
        let length = RequestLineText.length(ofLineIn: head, from: start)
        let line = [UInt8](bytes: head.extracting(start..<(start + length)))
        if !Self.isAdministrative(line) { queue.append(.request(id(request), line: line, session: session)) }
    }

    /// Whether a request line is that of a request to the admin API, such as for these events.
    private static func isAdministrative(_ line: [UInt8]) -> Bool {
        guard let space = line.firstIndex(of: 0x20) else { return false }
        var target = line[(space + 1)...]
        if let slashes = target.firstIndex(of: UInt8(ascii: "/")), target[..<slashes].last == UInt8(ascii: ":") {
            // The absolute form, which clients use toward proxies: the path follows the host.
            target = target[slashes...].dropFirst(2).drop {
                $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != 0x20
            }
        }
        if target.starts(with: sessionPath) {
            // The name of the session follows.
            target = target.dropFirst(sessionPath.count).drop { $0 != UInt8(ascii: "/") }
        }
        guard target.starts(with: adminPath) else { return false }
        let next = target.dropFirst(adminPath.count).first ?? 0x20
        return next == UInt8(ascii: "/") || next == UInt8(ascii: "?") || next == 0x20
    }

    private static let adminPath = Array("/__admin".utf8)
    private static let sessionPath = Array("/__session/".utf8)

    func answered(_ request: Int, _ answer: AnswerEvent, head: Span<UInt8>, content: Span<UInt8>) {
        queue.append(.answer(id(request), answer))
    }

    func completed(_ request: Int, after duration: Duration) {
        queue.append(.completed(id(request), after: duration))
    }

    func cutOff(_ request: Int) {
        queue.append(.cutOff(id(request)))
    }

    func changed(_ change: ServerChange) {
        if loop == 0 { queue.append(.changed(change)) }
    }

    private func id(_ request: Int) -> ServerEvent.RequestID { ServerEvent.RequestID(loop: loop, number: request) }
}
