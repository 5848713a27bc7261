// SPDX-License-Identifier: Apache-2.0

/// Decodes a body in `gzip` or `deflate` (RFC 9110 section 8.4.1) as its pieces come.
///
/// ```swift
/// var inflater = Inflater(.gzip)
/// inflater.append(piece)
/// while let bytes = try inflater.next() { … }
/// ```
///
/// A gzip body may have several members (RFC 1952 section 2.2). Of `deflate` there are two kinds in use: with the header of
/// zlib (RFC 1950), as the standard says, and without (RFC 1951); the first two bytes tell which.
package struct Inflater: Sendable {
    /// How a body is coded.
    package enum Coding: Sendable, Hashable {
        case gzip
        case deflate
    }

    /// Why a body cannot be decoded.
    package enum Failure: Error, Sendable, Hashable {
        /// The bytes are not what the coding says.
        case broken
        /// Something else follows the coded data.
        case trailingBytes
        /// There is not enough memory.
        case noMemory
    }

    /// The most bytes that ``next()`` returns at once.
    package static let maximumCount = 64 << 10

    private let coding: Coding
    private var stream: InflateStream?
    /// What has come and is not decoded: its first `start` bytes are.
    private var input: [UInt8] = []
    private var start = 0
    /// Whether a whole member, or all of a deflate body, was decoded last.
    private var isAtEnd = false
    private var mayHaveMore = false

    /// A decoder at the start of a body.
    package init(_ coding: Coding) {
        self.coding = coding
    }

    /// Takes the next piece; what was there before has been decoded as far as it could be.
    package mutating func append(_ piece: [UInt8]) {
        if start == input.count {
            input = piece
        } else {
            input.removeFirst(start)
            input += piece
        }
        start = 0
    }

    /// The next decoded bytes; `nil` if more pieces are needed.
    ///
    /// - Throws: ``Failure``; nothing more can be decoded then.
    package mutating func next() throws(Failure) -> [UInt8]? {
        while start < input.count || mayHaveMore {
            if isAtEnd, try !startMember() { return nil }
            if stream == nil, try !open() { return nil }
            let before = start
            let output = try decode()
            if !output.isEmpty { return output }
            guard isAtEnd || start > before else { return nil }
        }
        return nil
    }

    /// Starts the next member; `false` if nothing but padding follows.
    private mutating func startMember() throws(Failure) -> Bool {
        // Some writers pad with zeros.
        while start < input.count, input[start] == 0 { start += 1 }
        guard start < input.count else { return false }
        guard coding == .gzip, input[start] == 0x1F else { throw .trailingBytes }
        isAtEnd = false
        stream = nil
        return true
    }

    /// `false` if there are too few bytes to know which kind it is.
    private mutating func open() throws(Failure) -> Bool {
        var format = InflateStream.Format.gzip
        if coding == .deflate {
            guard input.count - start >= 2 else { return false }
            let header = Int(input[start]) << 8 | Int(input[start + 1])
            // RFC 1950 section 2.2: the method is 8, and the two bytes are a multiple of 31.
            format = input[start] & 0x0F == 8 && header % 31 == 0 ? .zlib : .raw
        }
        stream = try InflateStream(format)
        return true
    }

    private mutating func decode() throws(Failure) -> [UInt8] {
        guard var stream else { return [] }
        // Two redactors that share a stream would take each other's bytes: a copy goes on by itself.
        self.stream = nil
        if !isKnownUniquelyReferenced(&stream) { stream = try stream.copy() }
        let step = try stream.decode(input, from: start, maximumCount: Self.maximumCount)
        self.stream = stream
        start += step.consumed
        isAtEnd = step.isAtEnd
        mayHaveMore = !isAtEnd && step.output.count == Self.maximumCount
        return step.output
    }
}
