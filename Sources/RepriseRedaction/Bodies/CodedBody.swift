// SPDX-License-Identifier: Apache-2.0

internal import RepriseContentCoding

/// A body in gzip or deflate, which is decoded to be scanned. It is held back to its end: without a secret its coded pieces
/// come out, with one what they were decoded to.
package struct CodedBody: Sendable {
    /// The most that is scanned of one body, and that is held of it, in bytes.
    package struct Limits: Sendable {
        var coded = 8 << 20
        var decoded = 64 << 20
        var held = 16 << 20
    }

    private let name: String
    private let limits: Limits
    private var inflater: Inflater
    private var pieces: [[UInt8]] = []
    private var codedCount = 0
    private var decodedCount = 0
    /// What was decoded, without secrets; each piece of it belongs to a coded one, see `owners`.
    private var decoded: [[UInt8]] = []
    /// For each decoded piece, the number of the coded one.
    private var owners: [Int] = []
    /// Whether there was too much decoded to hold it.
    private var isDropped = false

    /// A body with one coding; `nil` for one that cannot be decoded.
    init?(coding: String, limits: Limits = Limits()) {
        switch coding {
        case "gzip", "x-gzip": inflater = Inflater(.gzip)
        case "deflate": inflater = Inflater(.deflate)
        default: return nil
        }
        name = coding
        self.limits = limits
    }

    /// Takes the next piece, and gives `scan` what it decodes to.
    mutating func append(_ piece: [UInt8], to scan: inout BodyScan) throws(BodyRedactor.Unscannable) {
        pieces.append(piece)
        codedCount += piece.count
        guard codedCount <= limits.coded else { throw tooLong("coded", limits.coded) }
        inflater.append(piece)
        while let bytes = try next() {
            decodedCount += bytes.count
            guard decodedCount <= limits.decoded else { throw tooLong("decoded", limits.decoded) }
            owners.append(pieces.count - 1)
            hold(try scan.append(bytes))
            if decodedCount > limits.held { isDropped = true }
            if isDropped { decoded = [] }
            guard !isDropped || scan.count == 0 else { throw tooLong("decoded, with a secret in it,", limits.held) }
        }
    }

    /// Ends the body. What was cut short on the wire was decoded as far as anyone can.
    mutating func finish(_ scan: inout BodyScan) throws(BodyRedactor.Unscannable) -> BodyRedactor.Remainder {
        hold(try scan.finish())
        guard scan.count > 0 else { return BodyRedactor.Remainder(pieces: pieces) }
        guard !isDropped else { throw tooLong("decoded, with a secret in it,", limits.held) }
        var output = [[UInt8]](repeating: [], count: pieces.count)
        for (owner, piece) in zip(owners, decoded) { output[owner] += piece }
        return BodyRedactor.Remainder(pieces: output, isDecoded: true)
    }

    private mutating func hold(_ released: [[UInt8]]) {
        if !isDropped { decoded += released }
    }

    private mutating func next() throws(BodyRedactor.Unscannable) -> [UInt8]? {
        do throws(Inflater.Failure) {
            return try inflater.next()
        } catch {
            switch error {
            case .broken: throw BodyRedactor.Unscannable("expected a body in \(name), found bytes that are not")
            case .trailingBytes:
                throw BodyRedactor.Unscannable("expected nothing behind a body in \(name), found more bytes")
            case .noMemory: throw BodyRedactor.Unscannable("expected memory to decode a body in \(name), found none")
            }
        }
    }

    private func tooLong(_ what: String, _ limit: Int) -> BodyRedactor.Unscannable {
        BodyRedactor.Unscannable(
            "expected a body in \(name) of at most \(limit >> 20) MiB \(what) to scan it, found more"
        )
    }
}
