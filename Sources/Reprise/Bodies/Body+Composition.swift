// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Body {
    /// The content of a file, which is read piece by piece while it is sent: one of any size takes little memory.
    ///
    /// Its size is taken now, so that the request can say it. The file has to stay as it is until it is sent: one that
    /// is gone, shorter, longer or written meanwhile fails the request with ``ClientError/Code/file``, and what went out
    /// by then is no complete message. It can be read as often as one likes.
    ///
    /// - Parameter url: where the file is.
    /// - Throws: ``ClientError/Code/file`` if it cannot be read.
    public init(file url: URL) throws(ClientError) {
        let file = try UploadFile(url)
        self.init(.file(file), length: file.size, isReplayable: true)
    }

    /// Content that comes byte by byte, sent in pieces of 16 KiB.
    ///
    /// - Parameters:
    ///   - bytes: the bytes. It is iterated when the body is.
    ///   - length: how many there will be, if that is known; a request then says so, and fails if it is not true.
    ///   - isReplayable: whether `bytes` can be iterated again from the start.
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

    /// One content after the other.
    ///
    /// One that is longer or shorter than it says fails the whole.
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

    /// Nil if it is beyond any number: a part may say what it likes of its length.
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
                        "a part of the body was to have \(length) bytes and has \(chunk == nil ? "" : "at least ")\(count)"
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
