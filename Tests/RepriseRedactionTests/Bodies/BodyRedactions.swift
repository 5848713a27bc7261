// SPDX-License-Identifier: Apache-2.0

@testable import RepriseRedaction
@testable import RepriseText

/// Passes bodies through a redactor.
enum BodyRedactions {
    struct Output: Hashable {
        var pieces: [[UInt8]] = []
        var count = 0
        var isDecoded = false

        var bytes: [UInt8] { Array(pieces.joined()) }
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Redacts a body that arrives in `pieces`.
    static func redact(
        _ pieces: [[UInt8]],
        headers: [String],
        by redaction: Redaction = .standard,
        at path: PathNames = [],
        isRequest: Bool = false
    ) throws(BodyRedactor.Unscannable) -> Output {
        let lines = headers.compactMap { HeaderLine($0) }
        var redactor = redaction.bodyRedactor(for: lines, at: path, request: isRequest ? RequestValues(lines) : nil)
        var output = Output()
        for piece in pieces { output.pieces += try redactor.append(piece) }
        let rest = try redactor.finish()
        output.pieces += rest.pieces
        output.isDecoded = rest.isDecoded
        output.count = redactor.count
        return output
    }

    /// Redacts a body of a media type that arrives as a whole.
    static func redact(
        _ text: String,
        type: String,
        by redaction: Redaction = .standard,
        at path: PathNames = []
    ) throws(BodyRedactor.Unscannable) -> Output {
        try redact([Array(text.utf8)], headers: ["Content-Type: \(type)"], by: redaction, at: path)
    }

    /// Ways to split `count` bytes: at each position, into pieces of several sizes, and at random.
    static func splits(_ count: Int) -> [[Int]] {
        var splits = (0...count).map { [$0] }
        for size in [1, 2, 3, 7, 16] { splits.append(Array(stride(from: size, to: count, by: size))) }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            splits.append((0..<4).map { _ in Int.random(in: 0...count, using: &generator) }.sorted())
        }
        return splits
    }

    /// The pieces between `places`.
    static func pieces(_ bytes: [UInt8], cutAt places: [Int]) -> [[UInt8]] {
        zip([0] + places, places + [bytes.count]).map { Array(bytes[$0..<$1]) }
    }
}
