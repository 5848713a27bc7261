// SPDX-License-Identifier: Apache-2.0

internal import RepriseText
internal import RepriseWire

/// A request whose head is complete, borrowed from its session for the time of a call.
///
/// The head is laid out as in HTTP/1.1, whatever protocol it arrived in, so that everything that looks at requests
/// needs to know only this form.
struct IncomingRequest: ~Escapable {
    /// The head, which the ranges in ``head`` refer to.
    let bytes: Span<UInt8>
    let head: RequestHead
    /// The content that has arrived, without a transfer coding; or only the start of it, if no more is kept.
    let content: Span<UInt8>
    let isContentComplete: Bool
    /// Whether the content has not arrived, and a source gets it later.
    let contentFollows: Bool
    /// Whether the client waits for `100 Continue` before sending the content.
    let awaitsContinue: Bool
    /// The trailer lines of the content.
    let trailers: [[UInt8]]
    /// The address of the client, without a port.
    let peer: String

    @_lifetime(copy bytes, copy content)
    init(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        content: Span<UInt8> = Span(),
        isContentComplete: Bool = true,
        contentFollows: Bool = false,
        awaitsContinue: Bool = false,
        trailers: [[UInt8]] = [],
        peer: String
    ) {
        self.bytes = bytes
        self.head = head
        self.content = content
        self.isContentComplete = isContentComplete
        self.contentFollows = contentFollows
        self.awaitsContinue = awaitsContinue
        self.trailers = trailers
        self.peer = peer
    }

    /// The parts that matching compares.
    var view: RequestView {
        @_lifetime(copy self)
        get {
            RequestView(head: bytes, ranges: head.ranges, content: content, isContentComplete: isContentComplete)
        }
    }

    var isHead: Bool { head.isHead(in: bytes) }
    var isOptions: Bool { head.isOptions(in: bytes) }

    /// Returns the value of the first field with this name, ignoring case.
    func text(ofField name: String) -> String? {
        head.firstField(named: name, in: bytes).map { bytes.text($0) }
    }
}
