// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A text in the traffic that looks like a marker, for example because the server redacts its own logs.
enum LiteralMarker {
    /// The first three bytes of a marker in each spelling.
    static let starts = ["[re", "%5B", "%5b"].map { Array($0.utf8) }
    private static let spellings = ["[redacted", "%5Bredacted", "%5bredacted"].map { Array($0.utf8) }

    /// Whether a marker can start with `byte`. No other pattern starts with it.
    @inline(__always)
    static func mayStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "%")
    }

    /// Matches the bytes starting at `start`. Those before `end` are available.
    static func outcome(
        in bytes: Span<UInt8>,
        at start: Int,
        before end: Int,
        isLast: Bool
    ) -> SecretPatterns.Outcome {
        if let stop = RedactionMarker.end(at: start, in: bytes.extracting(0..<end)) { return .literal(start..<stop) }
        guard !isLast, end - start < RedactionMarker.maximumLength else { return .none }
        return spellings.contains { mayContinue(bytes.extracting(start..<end), $0) } ? .undecided : .none
    }

    /// Whether the bytes are the start of a marker that starts with `spelling`.
    private static func mayContinue(_ bytes: Span<UInt8>, _ spelling: [UInt8]) -> Bool {
        for index in bytes.indices {
            if index < spelling.count {
                guard bytes[index] == spelling[index] else { return false }
            } else if !ByteSet.unreserved.contains(bytes[index]), !":%".utf8.contains(bytes[index]) {
                return false
            }
        }
        return true
    }
}
