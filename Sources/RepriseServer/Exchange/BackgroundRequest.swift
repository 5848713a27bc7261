// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseMatching
internal import RepriseText
internal import RepriseWire

/// A request that takes too long to answer on a loop, with everything that answering it on another thread needs.
struct BackgroundRequest: Sendable {
    let responder: Responder
    /// What is served, as it was when the request arrived.
    let state: ServingState
    let head: [UInt8]
    let parsedHead: RequestHead
    let content: [UInt8]
    let isContentComplete: Bool
    let trailers: [[UInt8]]
    /// The turn of a stub that was taken already.
    let turn: StubLookup.Turn?
    /// The address of the client, without a port.
    let peer: String
    /// The part of the memory for bodies that the content takes. It is taken as long as the content is here.
    let share: MemoryBudget.Share?

    /// Returns the reply.
    ///
    /// - Parameter limit: A limit that interrupts the work only if the client has disconnected.
    func reply(limit: WorkLimit) -> Reply {
        borrowed { request in
            if let turn, let reply = responder.reply(of: turn, to: request, state, limit) { return reply }
            return responder.reply(to: request, from: state, limit: limit)
        }
    }

    /// Calls `body` with the request.
    func borrowed<Result>(_ body: (IncomingRequest) -> Result) -> Result {
        let (head, content) = (head[...], content[...])
        return body(
            IncomingRequest(
                head.span,
                parsedHead,
                content: content.span,
                isContentComplete: isContentComplete,
                trailers: trailers,
                peer: peer
            )
        )
    }
}
