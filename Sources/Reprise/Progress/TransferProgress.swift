// SPDX-License-Identifier: Apache-2.0

/// The progress of sending a request's content or receiving a response's content.
public struct TransferProgress: Sendable, Hashable {
    /// The direction of the transfer.
    public var direction: Direction
    /// The number of this transfer in its direction, starting at 1. A retry, a redirect that repeats the content, and
    /// sending the same call again each start a new round with 0 ``bytes``, or with those of a download that is
    /// resumed.
    public var round: Int
    /// The number of bytes transferred in this round.
    public var bytes: Int
    /// The total number of bytes, or nil if it is not known yet.
    public var total: Int?

    /// Creates a progress value.
    public init(_ direction: Direction, round: Int = 1, bytes: Int, total: Int?) {
        self.direction = direction
        self.round = round
        self.bytes = bytes
        self.total = total
    }

    /// The completed fraction, from 0 to 1, or nil if the total is not known yet. It is 1 if there is nothing to
    /// transfer.
    public var fraction: Double? {
        total.map { total in total > 0 ? min(Double(bytes) / Double(total), 1) : 1 }
    }

    /// The direction of a transfer.
    public enum Direction: Sendable, Hashable {
        /// The request's content, sent to the server.
        case upload
        /// The response's content, received by the client.
        case download
    }
}
