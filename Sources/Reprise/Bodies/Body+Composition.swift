// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Body {
    /// Creates a body from a file, which is read piece by piece while it is sent.
    ///
    /// A file of any size takes little memory. The file's size is read now, so that the request can announce it. The
    /// file must not change until it is sent. If it is removed, resized, or written in the meantime, the request fails
    /// with ``ClientError/Code/file``, and the message that was sent is incomplete. The body can be read any number of
    /// times.
    ///
    /// - Parameter url: The URL of the file.
    /// - Throws: ``ClientError/Code/file`` if the file cannot be read.
    public init(file url: URL) throws(ClientError) {
        let file = try UploadFile(url)
        self.init(.file(file), length: file.size, isReplayable: true)
    }

    /// Creates a body from a sequence of bytes, sent in pieces of 16 KiB.
    ///
    /// - Parameters:
    ///   - bytes: The bytes. The sequence is iterated when the body is read.
    ///   - length: The number of bytes, if known. A request announces it, and fails if it is wrong.
    ///   - isReplayable: Whether `bytes` can be iterated again from the start. The default is false.
    public init<Bytes: AsyncSequence & Sendable>(
        _ bytes: Bytes,
        length: Int? = nil,
        isReplayable: Bool = false
    ) where Bytes.Element == UInt8 {
        let storage = Storage.sequence {
            var iterator = bytes.makeAsyncIterator()
            return {
                var piece: [UInt8] = []
                while piece.count < 16 << 10, let byte = try await iterator.next() { piece.append(byte) }
                return piece.isEmpty ? nil : piece
            }
        }
        self.init(storage, length: length, isReplayable: isReplayable)
    }

    /// Creates a body that joins several bodies in order.
    ///
    /// Reading it fails if one of them is longer or shorter than its ``length``.
    init(joining bodies: [Body]) {
        let lengths = bodies.compactMap(\.length)
        let storage = Storage.sequence {
            var joined = Joined(rest: bodies[...])
            return { try await joined.next() }
        }
        self.init(
            storage,
            length: lengths.count == bodies.count ? Self.sum(of: lengths) : nil,
            isReplayable: bodies.allSatisfy(\.isReplayable)
        )
    }

    /// Returns the sum, or nil if it overflows. A part may claim any length.
    private static func sum(of lengths: [Int]) -> Int? {
        lengths.reduce(0 as Int?) { sum, length in
            guard let (total, isTooLarge) = sum?.addingReportingOverflow(length), !isTooLarge else { return nil }
            return total
        }
    }

    private struct Joined {
        var rest: ArraySlice<Body>
        var current: (chunks: AsyncIterator, length: Int?)?
        var count = 0

        @concurrent
        mutating func next() async throws -> [UInt8]? {
            while true {
                let chunk = try await current?.chunks.next()
                count += chunk?.count ?? 0
                if let length = current?.length, chunk == nil ? count < length : count > length {
                    throw ClientError(
                        .invalidParameters,
                        "expected a body part of \(length) bytes, found \(chunk == nil ? "" : "at least ")\(count)"
                    )
                }
                if let chunk { return chunk }
                guard let next = rest.popFirst() else { return nil }
                current = (next.makeAsyncIterator(), next.length)
                count = 0
            }
        }
    }
}
