// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A quick check of the keys of a JSON text. Most texts have no key that can make other members secret, and need no
/// parsing.
struct KeySigns {
    /// Whether a key ends like one that is relevant for ``ObjectSecrets``.
    private(set) var isRelevant = false
    /// Whether a member declares that others are secret, see ``DeclaredSecrets``.
    private(set) var declaresSecrets = false
    /// Whether a key is that of the variables of GraphQL.
    private(set) var hasVariables = false

    init(_ bytes: Span<UInt8>) {
        var index = bytes.endOfColonRun(from: 0)
        while index < bytes.count {
            var end = index
            while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
            if end >= 5, bytes[end - 1] == UInt8(ascii: "\"") {
                let start = bytes[end - 5] == UInt8(ascii: "\"") ? end - 4 : end - 5
                if !isRelevant, ObjectSecrets.isRelevant(start..<end - 1, bytes) { isRelevant = true }
                if !declaresSecrets, !SecretDeclaration(bytes, keyEnd: end - 1, colon: index).isEmpty {
                    declaresSecrets = true
                }
                if end >= 11, GraphQLVariables.isVariables(bytes, end - 10..<end - 1) { hasVariables = true }
            }
            index = bytes.endOfColonRun(from: index + 1)
        }
    }
}

extension Span<UInt8> {
    /// Returns the index of the first colon at or after `start`, or the number of bytes if there is none.
    @inline(__always)
    fileprivate func endOfColonRun(from start: Int) -> Int {
        var index = start
        while index &+ 8 <= count {
            // Sets the top bit of each colon. Bits after the first one can be false positives.
            let colons = word(at: index) ^ 0x3A3A_3A3A_3A3A_3A3A
            let found = (colons &- 0x0101_0101_0101_0101) & ~colons & 0x8080_8080_8080_8080
            guard found == 0 else { return index &+ found.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < count, self[index] != UInt8(ascii: ":") { index &+= 1 }
        return index
    }
}
