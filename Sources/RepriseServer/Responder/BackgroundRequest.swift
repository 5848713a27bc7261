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
    /// The turn of a stub that was taken already.
    let turn: StubLookup.Turn?
    /// Whether the connection closes after the answer, regardless of the client.
    let isLast: Bool
    /// The Date line for the server's own answers.
    let date: [UInt8]
    /// The address of the client, without a port.
    let peer: String
    /// The part of the memory for bodies that the content takes. It is taken as long as the content is here.
    let share: MemoryBudget.Share?

    /// Returns the answer.
    ///
    /// - Parameter limit: A limit that interrupts the work only if the client has disconnected.
    func answer(limit: WorkLimit) -> Answer {
        let (head, content) = (head[...], content[...])
        if let turn {
            let answer = responder.answer(
                turn,
                head.span,
                parsedHead,
                content: content.span,
                state: state,
                isLast: isLast,
                date: { date },
                peer: { peer },
                limit: limit
            )
            if let answer { return answer }
        }
        return responder.answer(
            head.span,
            parsedHead,
            content: content.span,
            isContentComplete: isContentComplete,
            state: state,
            isLast: isLast,
            date: { date },
            peer: { peer },
            limit: limit
        )
    }
}
