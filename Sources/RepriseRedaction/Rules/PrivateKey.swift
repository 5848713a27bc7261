// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A private key in PEM (RFC 7468), including those of OpenSSL, OpenSSH and PGP, as it arrives. It extends from
/// `-----BEGIN … PRIVATE KEY-----`, or `-----BEGIN OpenVPN Static key V1-----`, to the end of its last line, or to the
/// first byte that cannot be part of a key.
///
/// Line ends can be escaped as in JSON (`\n`) or in a form (`%0A`), and spaces can be the plus signs of a form.
struct PrivateKey: Sendable, Hashable {
    static let start = Array("-----BEGIN".utf8)
    static let first = UInt8(ascii: "-")
    private static let end = Array("-----END".utf8)
    private static let labels = ["PRIVATE", "Static key", "Static+key", "Static%20key"].map { Array($0.utf8) }
    /// The maximum length of the first line.
    private static let limit = 80

    private static let labelBytes = ByteSet.letters.union(.digits).union(ByteSet(" +%_"))
    private static let bodyBytes = ByteSet.word.union(ByteSet("+/= \r\n\t\\%:,.()-"))

    /// The number of matched bytes of `-----END`.
    private var matched = 0
    /// Whether `-----END` was matched and the label follows.
    private var isAtLabel = false
    /// The number of matched hyphens at the end.
    private var hyphens = 0

    /// Matches the bytes starting at `start`. Those before `end` are available.
    static func outcome(
        in bytes: Span<UInt8>,
        at start: Int,
        before end: Int,
        isLast: Bool
    ) -> SecretPatterns.Outcome {
        let stop = min(end, start + limit)
        let exhausted: SecretPatterns.Outcome = isLast || stop == start + limit ? .none : .undecided
        var index = start
        for byte in Self.start {
            guard index < stop else { return exhausted }
            guard bytes[index] == byte else { return .none }
            index += 1
        }
        let label = index
        while index < stop, labelBytes.contains(bytes[index]) { index += 1 }
        let name = bytes.extracting(label..<index)
        for _ in 0..<5 {
            guard index < stop else { return exhausted }
            guard bytes[index] == UInt8(ascii: "-") else { return .none }
            index += 1
        }
        guard labels.contains(where: { name.firstIndex(of: $0, from: 0) != nil }) else { return .none }
        var key = PrivateKey()
        if let stop = key.end(in: bytes, from: index, before: end) { return .secret(start..<stop, marker: 0) }
        return .open(.privateKey(key), start..<end, marker: 0)
    }

    /// Returns the end of the key that continues at `start`, or `nil` if it does not end before `end`.
    mutating func end(in bytes: Span<UInt8>, from start: Int, before end: Int) -> Int? {
        var index = start
        while index < end {
            let byte = bytes[index]
            if !isAtLabel {
                guard Self.bodyBytes.contains(byte) else { return index }
                if byte == Self.end[matched] {
                    matched += 1
                } else {
                    // Of more than five hyphens, the last five count.
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
