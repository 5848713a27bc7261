// SPDX-License-Identifier: Apache-2.0

internal import RepriseContentCoding
package import RepriseText

/// A body in gzip or deflate, which is decoded for scanning and held back until its end. The output is the encoded
/// pieces if the body contains no secret and need not be decoded, and the redacted decoded pieces otherwise.
package struct CodedBody: Sendable {
    /// The maximum number of bytes that are scanned and held for one body.
    package struct Limits: Sendable {
        var coded = 8 << 20
        var decoded = 64 << 20
        var held = 16 << 20
    }

    /// The maximum number of bytes of a compressed body that is decoded.
    package static var maximumCodedSize: Int { Limits().coded }

    /// Whether the output is decoded even without a secret.
    var keepsDecoded = false
    private let name: String
    private let limits: Limits
    private var inflater: Inflater
    private var pieces: [[UInt8]] = []
    private var codedCount = 0
    private var decodedCount = 0
    /// The redacted decoded pieces. `owners` maps each of them to an encoded piece.
    private var decoded: [[UInt8]] = []
    /// The number of the encoded piece for each decoded piece.
    private var owners: [Int] = []
    /// Whether the decoded content was too large to hold.
    private var isDropped = false

    /// Creates a body with one content coding, or returns `nil` if it has none, several, or an unsupported one.
    init?(codings: [String], limits: Limits = Limits()) {
        guard codings.count == 1, let known = Inflater.Coding(named: codings[0]) else { return nil }
        inflater = Inflater(known)
        name = codings[0]
        self.limits = limits
    }

    /// Appends the next piece and passes its decoded content to `scan`.
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

    /// Ends the body. A body that was truncated on the wire is decoded as far as possible.
    mutating func finish(_ scan: inout BodyScan) throws(BodyRedactor.Unscannable) -> BodyRedactor.Remainder {
        hold(try scan.finish())
        guard scan.count > 0 || (keepsDecoded && !isDropped) else { return BodyRedactor.Remainder(pieces: pieces) }
        guard !isDropped else { throw tooLong("decoded, with a secret in it,", limits.held) }
        var output = [[UInt8]](repeating: [], count: pieces.count)
        for (owner, piece) in zip(owners, decoded) { output[owner] += piece }
        return BodyRedactor.Remainder(pieces: output, isDecoded: true)
    }

    /// Returns a body without its content coding, or `nil` if it has none or is invalid.
    package static func decoded(_ body: [UInt8], headers: [HeaderLine]) -> [UInt8]? {
        guard var coded = CodedBody(codings: headers.contentCodings) else { return nil }
        coded.inflater.append(body)
        var decoded: [UInt8] = []
        while decoded.count <= coded.limits.held {
            do throws(BodyRedactor.Unscannable) {
                guard let bytes = try coded.next() else { return decoded }
                decoded += bytes
            } catch {
                return nil
            }
        }
        return nil
    }

    /// Returns the pieces of a body without its content coding, or `nil` if it has none or is invalid.
    static func decoded(pieces: [[UInt8]], headers: [HeaderLine]) -> [[UInt8]]? {
        guard var coded = CodedBody(codings: headers.contentCodings) else { return nil }
        var size = 0
        var decoded: [[UInt8]] = []
        for piece in pieces {
            coded.inflater.append(piece)
            var content: [UInt8] = []
            while let bytes = try? coded.next() {
                content += bytes
                guard size + content.count <= coded.limits.held else { return nil }
            }
            size += content.count
            decoded.append(content)
        }
        return size > 0 ? decoded : nil
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
                throw BodyRedactor.Unscannable("expected the end of the body in \(name), found more bytes")
            case .noMemory: throw BodyRedactor.Unscannable("there is not enough memory to decode a body in \(name)")
            }
        }
    }

    private func tooLong(_ what: String, _ limit: Int) -> BodyRedactor.Unscannable {
        BodyRedactor.Unscannable(
            "expected a body in \(name) of at most \(limit >> 20) MiB \(what) to scan it, found more"
        )
    }
}

extension [HeaderLine] {
    /// Removes the Content-Encoding lines of a body that is recorded decoded, and returns a note about it.
    package mutating func dropContentEncoding(because reason: String = "a secret was removed from the body") -> String?
    {
        let codings = lines(named: "Content-Encoding").map(\.value).joined(separator: ", ")
        guard !codings.isEmpty else { return nil }
        removeAll { $0.hasName("Content-Encoding") }
        return "the body was recorded decoded, without Content-Encoding: \(codings), because \(reason)"
    }
}
