// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Plays an encoded response step by step. It uses only values: no socket, no clock, and no loop.
struct ResponsePlayback {
    /// The next thing to do.
    enum Action: Equatable {
        /// Send a head, or the rest of it, and `then` content.
        case sendHead(ArraySlice<UInt8>, then: ArraySlice<UInt8>)
        case send(ArraySlice<UInt8>)
        case sendFile(FileSource, offset: Int)
        /// Continue this many nanoseconds after the first step was due.
        case wait(untilOffset: UInt64)
        /// The last step is done.
        case end(EncodedResponse.End)
    }

    private var response: EncodedResponse
    /// The number of bytes of the head that were sent.
    private var sentOfHead = 0
    private var step = 0
    private var offset = 0
    private var waited: UInt64 = 0

    init(_ response: EncodedResponse) {
        self.response = response
    }

    /// Lets `body` change the response if nothing of its head was sent.
    mutating func editUnsent(_ body: (inout EncodedResponse) -> Void) {
        if sentOfHead == 0, !response.head.isEmpty { body(&response) }
    }

    /// Returns the next thing to do.
    mutating func next() -> Action {
        if waited < response.latency {
            waited = response.latency
            return .wait(untilOffset: waited)
        }
        if sentOfHead < response.head.count {
            let content: ArraySlice<UInt8> = if case .bytes(let bytes)? = response.steps.first { bytes } else { [] }
            return .sendHead(response.head[sentOfHead...], then: content)
        }
        while step < response.steps.count {
            switch response.steps[step] {
            case .head(let bytes):
                if offset < bytes.count { return .sendHead(bytes[offset...], then: []) }
            case .bytes(let bytes):
                if offset < bytes.count { return .send(bytes.dropFirst(offset)) }
            case .file(let file):
                if offset < file.size { return .sendFile(file, offset: offset) }
            case .wait(let nanoseconds):
                waited += nanoseconds
                step += 1
                return .wait(untilOffset: waited)
            }
            step += 1
            offset = 0
        }
        return .end(response.end)
    }

    /// Records that `count` bytes of what ``next()`` returned were sent.
    mutating func didSend(_ count: Int) {
        let ofHead = min(count, response.head.count - sentOfHead)
        sentOfHead += ofHead
        offset += count - ofHead
    }
}
