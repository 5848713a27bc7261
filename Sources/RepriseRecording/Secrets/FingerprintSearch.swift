// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Looks for values of which only a fingerprint is known, because the recording that knew them was interrupted.
struct FingerprintSearch {
    private var fingerprints: Set<SecretFingerprint>
    private let salt: [UInt8]
    private let lengths: [Int]
    let longest: Int

    init(_ fingerprints: Set<SecretFingerprint>, salt: [UInt8]) {
        self.fingerprints = fingerprints
        self.salt = salt
        lengths = Set(fingerprints.map(\.length)).sorted()
        longest = lengths.last ?? 0
    }

    var isEmpty: Bool { fingerprints.isEmpty }

    /// Returns the values in `text` that have one of the fingerprints and are between other characters than letters
    /// and digits. Each value is found only once.
    mutating func values(in text: [UInt8]) -> [[UInt8]] {
        guard !isEmpty, let shortest = lengths.first, text.count >= shortest else { return [] }
        var values: [[UInt8]] = []
        for start in 0...text.count - shortest where Self.canStart(at: start, in: text) {
            for length in lengths where start + length <= text.count {
                let end = start + length
                guard end == text.count || !isAlphanumeric(text[end]) || !isAlphanumeric(text[end - 1]) else {
                    continue
                }
                let value = text[start..<end]
                guard SecretFingerprint.isSuitable(value) else { continue }
                if fingerprints.remove(SecretFingerprint(of: value, salt: salt)) != nil { values.append(Array(value)) }
            }
        }
        return values
    }

    private static func canStart(at index: Int, in text: [UInt8]) -> Bool {
        guard index > 0, isAlphanumeric(text[index]), isAlphanumeric(text[index - 1]) else { return true }
        // After an escape: `\n`, `%3D`, `\u003d`.
        if index > 1, text[index - 2] == UInt8(ascii: "\\") { return true }
        if index > 2, text[index - 3] == UInt8(ascii: "%") { return true }
        return index > 5 && text[index - 6] == UInt8(ascii: "\\")
    }
}
