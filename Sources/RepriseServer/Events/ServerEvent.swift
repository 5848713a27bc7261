// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An event in the event stream.
struct ServerEvent: Sendable {
    /// The number of the event. Lost events have numbers too.
    var number = 0
    var time = Date.now
    var kind: Kind

    enum Kind: Sendable {
        /// A request was received. `line` is its first line, and `session` the session that it belongs to.
        case request(RequestID, line: [UInt8], session: SessionID? = nil)
        /// An answer was found or has begun to arrive.
        case answer(RequestID, AnswerEvent)
        /// The answer was written in full.
        case completed(RequestID, after: Duration)
        /// The answer ended early.
        case cutOff(RequestID)
        case changed(ServerChange)
    }

    /// The identifier of a request: its loop, and its number on that loop.
    struct RequestID: Sendable, Hashable {
        var loop: Int
        var number: Int
    }
}
