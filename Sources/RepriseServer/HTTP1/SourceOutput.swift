// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
internal import RepriseWire

/// A source's answer in HTTP/1.1, as far as it is written.
struct SourceOutput {
    /// Output that the client has not read yet.
    var buffer = OutputBuffer()
    /// How the response is framed; nil before it begins.
    private var framing: ClientFraming?
    /// Whether the connection closes after the response.
    private var closes = false
    /// Whether the current chunk is incomplete.
    private var isWithinChunk = false

    mutating func inform(_ head: ResponseHead) {
        buffer.edit { $0 += PlanSerializer.bytes(of: head) }
    }

    mutating func begin(_ head: ResponseHead, _ template: HeadTemplate?, _ framing: ClientFraming) {
        let (bytes, closes) = framing.head(head, template)
        (self.framing, self.closes) = (framing, closes)
        // Leaves room for short content, so that appending it does not copy the head.
        buffer.edit {
            $0.reserveCapacity($0.count + bytes.count + 512)
            $0 += bytes
        }
    }

    mutating func append(_ content: Span<UInt8>, leftOfChunk: Int) {
        guard let framing, framing.hasBody else { return }
        guard framing.isChunked else { return buffer.append(content) }
        if !isWithinChunk {
            let size = content.count + leftOfChunk
            buffer.edit { ChunkEncoder.appendChunkStart(size: size, to: &$0) }
        }
        buffer.append(content)
        isWithinChunk = leftOfChunk > 0
        if leftOfChunk == 0 { buffer.edit { ChunkEncoder.appendChunkEnd(to: &$0) } }
    }

    /// Ends the response. Returns what happens to the connection after it.
    mutating func end(trailers: [[UInt8]]) -> EncodedResponse.End {
        if let framing, framing.hasBody, framing.isChunked {
            buffer.edit { ChunkEncoder.appendLastChunk(trailers: trailers, to: &$0) }
        }
        return closes ? .close : .keepAlive
    }

    /// Cuts the response off. Returns what happens to the connection after it.
    func end(cutOff ending: Ending) -> EncodedResponse.End {
        framing?.end(after: ending, closes: closes) ?? (ending == .timedOut ? .stall : .reset)
    }
}
