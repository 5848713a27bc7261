// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// Decodes a `gzip` or `deflate` body (RFC 9110 section 8.4.1) piece by piece.
///
/// ```swift
/// var inflater = Inflater(.gzip)
/// inflater.append(piece)
/// while let bytes = try inflater.next() { … }
/// ```
///
/// A gzip body may have several members (RFC 1952 section 2.2). Two variants of `deflate` are in use: with a zlib
/// header (RFC 1950), as the standard requires, and without (RFC 1951). The first two bytes identify the variant.
package struct Inflater: Sendable {
    /// The content coding of a body.
    package enum Coding: Sendable, Hashable {
        case gzip
        case deflate

        /// Creates the coding with a lowercase name (RFC 9110 section 8.4.1). Returns `nil` for any other.
        package init?(named name: String) {
            switch name {
            case "gzip", "x-gzip": self = .gzip
            case "deflate": self = .deflate
            default: return nil
            }
        }
    }

    /// The reason that a body cannot be decoded.
    package enum Failure: Error, Sendable, Hashable {
        /// The bytes are not valid for the coding.
        case broken
        /// Other bytes follow the coded data.
        case trailingBytes
        /// Memory could not be allocated.
        case noMemory
    }

    /// The maximum number of bytes that ``next()`` returns in one call.
    package static let maximumCount = 64 << 10

    private let coding: Coding
    private var stream: InflateStream?
    /// The received input. The first `start` bytes have been decoded.
    private var input: [UInt8] = []
    private var start = 0
    /// Whether decoding has just reached the end of a gzip member or of a deflate body.
    private var isAtEnd = false
    private var mayHaveMore = false

    /// Creates a decoder at the start of a body.
    package init(_ coding: Coding) {
        self.coding = coding
    }

    /// Whether the input so far is a complete body.
    package var isComplete: Bool { isAtEnd && start == input.count }

    /// Adds the next piece of input. Call this after ``next()`` has returned `nil` for the previous pieces.
    package mutating func append(_ piece: [UInt8]) {
        if start == input.count {
            input = piece
        } else {
            input.removeFirst(start)
            input += piece
        }
        start = 0
    }

    /// Returns the next decoded bytes, or `nil` if more input is needed.
    ///
    /// - Throws: ``Failure`` if the body is invalid. Decoding cannot continue afterward.
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

    /// Starts the next member. Returns `false` if only padding follows.
    private mutating func startMember() throws(Failure) -> Bool {
        // Some encoders pad with zeros.
        while start < input.count, input[start] == 0 { start += 1 }
        guard start < input.count else { return false }
        guard coding == .gzip, input[start] == 0x1F else { throw .trailingBytes }
        isAtEnd = false
        stream = nil
        return true
    }

    /// Detects the format and creates the stream. Returns `false` if more bytes are needed.
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
        // Copies of an inflater must not share a stream, so each copy continues with its own.
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

extension Inflater {
    /// Returns decoded content. Returns `nil` if the content is invalid, incomplete, or larger than `limit` when it is
    /// decoded.
    package static func decoded(_ content: [UInt8], _ coding: Coding, limit: Int) -> [UInt8]? {
        var inflater = Inflater(coding)
        inflater.append(content)
        var decoded: [UInt8] = []
        do throws(Failure) {
            while let bytes = try inflater.next() {
                guard decoded.count + bytes.count <= limit else { return nil }
                decoded += bytes
            }
        } catch {
            return nil
        }
        return inflater.isComplete ? decoded : nil
    }
}

extension Inflater.Coding {
    /// Returns the codings that a Content-Encoding field lists, in the order in which they were applied. Returns `nil` if
    /// there is none, or one that is not supported. More than one is possible, but rare.
    package static func list(_ field: String) -> [Inflater.Coding]? {
        let names = field.contentCodings
        let codings = names.compactMap { Inflater.Coding(named: $0) }
        return 1...3 ~= names.count && codings.count == names.count ? codings : nil
    }
}
