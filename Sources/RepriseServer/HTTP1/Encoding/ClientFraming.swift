// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText

/// How one response is framed for one client. Pure, and used for both replayed and forwarded responses, so that a
/// client cannot tell them apart.
struct ClientFraming {
    let client: PlanSerializer.Client
    let framing: ResponsePlan.Framing

    /// Whether content is sent.
    var hasBody: Bool { framing != .none && !client.wantsHeadOnly }
    /// Whether content is sent in chunks.
    var isChunked: Bool { framing == .chunked && client.minorVersion > 0 }
    /// Whether chunks are removed, because the client does not support them.
    var isDechunked: Bool { framing == .chunked && client.minorVersion == 0 }

    /// Returns the head that the client receives, and whether the connection closes after the response. If the content
    /// is sent in chunks, the head says so (RFC 9112 section 6.1).
    ///
    /// - Parameter template: The template of this head for clients that receive exactly its lines; nil if there is none
    ///   yet.
    func head(_ head: ResponseHead, _ template: HeadTemplate? = nil) -> (bytes: [UInt8], closes: Bool) {
        let isUnchanged = !client.isCrossOrigin && !isDechunked
        let known = isUnchanged ? template : nil
        let template =
            known
            ?? HeadTemplate(announced(head), isCrossOrigin: client.isCrossOrigin, isDechunked: isDechunked)
        return template.head(for: client, date: [], endsByClosing: endsByClosing)
    }

    /// Returns a head that names the chunked coding if the content has it.
    private func announced(_ head: ResponseHead) -> ResponseHead {
        guard isChunked, !head.headers.contains(where: { $0.hasName("transfer-encoding") }) else { return head }
        var head = head
        head.headers.append(HeaderLine(name: "Transfer-Encoding", value: "chunked"))
        return head
    }

    /// Whether only closing the connection marks the end of the content: it has neither a length nor chunks, or the
    /// chunks were removed for the client.
    var endsByClosing: Bool { hasBody && (framing == .untilClose || isDechunked) }

    /// Returns what happens to the connection after a response with this ending.
    ///
    /// - Parameter closes: Whether the connection closes after a complete response.
    func end(after ending: Ending, closes: Bool) -> EncodedResponse.End {
        switch ending {
        case .complete: closes ? .close : .keepAlive
        // With the chunks removed, an orderly close would make the body look complete.
        case .truncated: isDechunked ? .reset : .truncated
        case .reset: .reset
        // A client that leaves again does not see a difference.
        case .timedOut, .cancelled: .stall
        }
    }
}
