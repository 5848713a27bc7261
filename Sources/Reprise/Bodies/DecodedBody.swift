// SPDX-License-Identifier: Apache-2.0

internal import RepriseContentCoding

/// The content of a response without a content coding (RFC 9110 section 8.4), decoded as it is read.
final class DecodedBody: BodySource, @unchecked Sendable {
    // Sendable because a body requests one part at a time from its source, and cancels it when it stops reading.
    private var parts: Body.Parts.AsyncIterator?
    private let body: Body
    private let coding: Inflater.Coding
    private var inflater: Inflater
    /// Whether no content has arrived. Empty content is valid in any coding.
    private var isEmpty = true
    private var endsChunk = true

    init(_ body: Body, _ coding: Inflater.Coding) {
        self.body = body
        self.coding = coding
        inflater = Inflater(coding)
        parts = body.parts.makeAsyncIterator()
    }

    func next() async throws(TransportError) -> Body.Part? {
        do throws(TransportError) {
            while parts != nil {
                if let bytes = try inflate() {
                    return .bytes(bytes, endsChunk: endsChunk && bytes.count < Inflater.maximumCount)
                }
                switch try await nextPart() {
                case .bytes(let coded, let ends):
                    (isEmpty, endsChunk) = (false, ends)
                    inflater.append(coded)
                case let last:
                    guard isEmpty || inflater.isComplete else {
                        throw TransportError(
                            .truncated,
                            "the response ended before the end of its content in \(coding)"
                        )
                    }
                    if last == nil { parts = nil }
                    return last
                }
            }
            return nil
        } catch {
            parts = nil
            throw error
        }
    }

    func cancel() {
        parts = nil
    }

    var metrics: Metrics? { body.metrics }

    private func nextPart() async throws(TransportError) -> Body.Part? {
        do {
            return try await parts?.next()
        } catch {
            throw error as? TransportError ?? TransportError(.other, "\(error)", underlying: error)
        }
    }

    private func inflate() throws(TransportError) -> [UInt8]? {
        do throws(Inflater.Failure) {
            return try inflater.next()
        } catch {
            let found =
                switch error {
                case .broken: "other bytes"
                case .trailingBytes: "more bytes after it"
                case .noMemory: "not enough memory to decode it"
                }
            throw TransportError(
                .malformedResponse,
                "expected content in \(coding), as Content-Encoding says, found \(found)"
            )
        }
    }
}
