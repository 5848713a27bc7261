// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A private key in PEM (RFC 7468), also of OpenSSL, OpenSSH and PGP, as it passes: from `-----BEGIN … PRIVATE KEY-----` to
/// the end of its last line, or to where no key can go on.
///
/// Its line ends may be those of JSON (`\n`) or of a form (`%0A`), and its spaces the pluses of a form.
struct PrivateKey: Sendable, Hashable {
    static let start = Array("-----BEGIN".utf8)
    static let first = UInt8(ascii: "-")
    private static let end = Array("-----END".utf8)
    private static let label = Array("PRIVATE".utf8)
    /// How long a first line can be that is one.
    private static let limit = 80

    private static let labelBytes = ByteSet.letters.union(.digits).union(ByteSet(" +%_"))
    private static let bodyBytes = ByteSet.word.union(ByteSet("+/= \r\n\t\\%:,.()-"))

    /// How much of `-----END` was seen last.
    private var matched = 0
    /// Whether it was seen, and the label follows.
    private var isAtLabel = false
    /// How many of the last hyphens were seen.
    private var hyphens = 0

    /// What starts at `start`, of which the bytes before `end` are there.
    static func outcome(
        in bytes: Span<UInt8>,
        at start: Int,
        before end: Int,
        isLast: Bool
    ) -> SecretPatterns.Outcome {
        let stop = min(end, start + limit)
        let ranOut: SecretPatterns.Outcome = isLast || stop == start + limit ? .none : .undecided
        var index = start
        for byte in Self.start {
            guard index < stop else { return ranOut }
            guard bytes[index] == byte else { return .none }
            index += 1
        }
        var matched = 0
        while index < stop, labelBytes.contains(bytes[index]) {
            if matched < label.count { matched = bytes[index] == label[matched] ? matched + 1 : 0 }
            index += 1
        }
        for _ in 0..<5 {
            guard index < stop else { return ranOut }
            guard bytes[index] == UInt8(ascii: "-") else { return .none }
            index += 1
        }
        guard matched == label.count else { return .none }
        var key = PrivateKey()
        if let stop = key.end(in: bytes, from: index, before: end) { return .secret(start..<stop, marker: 0) }
        return .open(.privateKey(key), start..<end, marker: 0)
    }

    /// Where the key ends that goes on at `start`; `nil` if that is not before `end`.
    mutating func end(in bytes: Span<UInt8>, from start: Int, before end: Int) -> Int? {
        var index = start
        while index < end {
            let byte = bytes[index]
            if !isAtLabel {
                guard Self.bodyBytes.contains(byte) else { return index }
                if byte == Self.end[matched] {
                    matched += 1
                } else {
                    // Of more hyphens than five, the last five count.
                    matched = byte != UInt8(ascii: "-") ? 0 : matched == 5 ? 5 : 1
                }
                isAtLabel = matched == Self.end.count
            } else if byte == UInt8(ascii: "-") {
                hyphens += 1
                if hyphens == 5 { return index + 1 }
            } else if hyphens > 0 || !Self.labelBytes.contains(byte) {
                return index
            }
            index += 1
        }
        return nil
    }
}
