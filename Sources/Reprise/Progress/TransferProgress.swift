// SPDX-License-Identifier: Apache-2.0

/// How far a request's content has gone out, or a response's come in.
public struct TransferProgress: Sendable, Hashable {
    /// Which way the content goes.
    public var direction: Direction
    /// Which time it goes that way, from 1 on. A retry, a redirection that repeats the content, and the same call sent
    /// once more are another one, which begins with 0 ``bytes``.
    public var round: Int
    /// How many bytes have gone or come in this round.
    public var bytes: Int
    /// How many there are; nil as long as that is not known.
    public var total: Int?

    /// Progress.
    public init(_ direction: Direction, round: Int = 1, bytes: Int, total: Int?) {
        self.direction = direction
        self.round = round
        self.bytes = bytes
        self.total = total
    }

    /// How much of it is done, from 0 to 1; nil as long as the total is not known. 1 where there is nothing to transfer.
    public var fraction: Double? {
        total.map { total in total > 0 ? min(Double(bytes) / Double(total), 1) : 1 }
    }

    /// Which way content goes.
    public enum Direction: Sendable, Hashable {
        /// The request's, to the server.
        case upload
        /// The response's, to the client.
        case download
    }
}
