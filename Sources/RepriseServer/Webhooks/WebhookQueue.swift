// SPDX-License-Identifier: Apache-2.0

/// The webhooks that are waiting or being sent. The queue is bounded, because stubs can produce webhooks faster than a
/// receiver accepts them. Pure: the caller sends them.
struct WebhookQueue: Sendable {
    static let maximumCount = 256
    /// The maximum number of bytes that pending webhooks hold.
    static let maximumBytes = 64 << 20

    private var pending: [Int: Pending] = [:]
    private var lastNumber = 0
    private var byteCount = 0
    /// The number of webhooks dropped since the last report, because too many were pending.
    private var dropped = 0
    /// The number of webhooks that were not sent because the server stopped.
    private(set) var abandoned = 0
    /// When webhooks stop being sent; nil while the server runs.
    private var end: ContinuousClock.Instant?

    private struct Pending: Sendable {
        var byteCount: Int
        /// When it is due; nil until its delay is known.
        var due: ContinuousClock.Instant?
    }

    var count: Int { pending.count }

    /// Adds a webhook that holds this many bytes.
    ///
    /// - Returns: Its number; nil if it is dropped.
    mutating func admit(bytes: Int) -> Int? {
        // A single webhook is always admitted, however large it is.
        guard pending.count < Self.maximumCount, pending.isEmpty || byteCount + bytes <= Self.maximumBytes else {
            dropped += 1
            return nil
        }
        lastNumber += 1
        pending[lastNumber] = Pending(byteCount: bytes)
        byteCount += bytes
        return lastNumber
    }

    /// Notes the time at which a webhook is due, and the number of bytes that it holds until then.
    ///
    /// - Returns: Whether it is due before webhooks stop being sent.
    mutating func schedule(_ number: Int, at due: ContinuousClock.Instant, bytes: Int) -> Bool {
        guard let former = pending[number] else { return false }
        byteCount += bytes - former.byteCount
        pending[number] = Pending(byteCount: bytes, due: due)
        return end.map { due <= $0 } ?? true
    }

    /// - Parameter isAbandoned: Whether it was not sent because the server is stopping.
    /// - Returns: The number of webhooks dropped since the last report, to be reported now.
    mutating func finish(_ number: Int, isAbandoned: Bool = false) -> Int {
        if let pending = pending.removeValue(forKey: number) { byteCount -= pending.byteCount }
        if isAbandoned { abandoned += 1 }
        defer { dropped = 0 }
        return dropped
    }

    /// Stops sending webhooks at `end`.
    ///
    /// - Returns: The numbers of the webhooks that are due later.
    mutating func stop(at end: ContinuousClock.Instant) -> [Int] {
        self.end = end
        return pending.filter { $1.due.map { $0 > end } ?? false }.map(\.key)
    }
}
