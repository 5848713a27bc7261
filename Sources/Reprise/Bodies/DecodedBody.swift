// SPDX-License-Identifier: Apache-2.0

internal import RepriseContentCoding

/// The content of a response without a content coding (RFC 9110 section 8.4), decoded as it is read.
final class DecodedBody: RelayedBody, @unchecked Sendable {
    private let coding: Inflater.Coding
    private var inflater: Inflater
    /// Whether no content has arrived. Empty content is valid in any coding.
    private var isEmpty = true
    private var endsChunk = true

    init(_ body: Body, _ coding: Inflater.Coding) {
        self.coding = coding
        inflater = Inflater(coding)
        super.init(body)
    }

    override func next() async throws(TransportError) -> Body.Part? {
        do throws(TransportError) {
            while !isOver {
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
                    return last
                }
            }
            return nil
        } catch {
            cancel()
            throw error
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
