// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The token of the admin API.
enum AdminToken {
    /// Returns the token in the value of an Authorization field: of Bearer (RFC 6750 section 2.1), or the password of
    /// Basic (RFC 7617 section 2).
    static func given(in value: String) -> [UInt8]? {
        guard let (scheme, rest) = parts(of: value) else { return nil }
        switch scheme {
        case "bearer": return rest
        case "basic":
            guard let decoded = Base64.decode(rest[...]), let colon = decoded.firstIndex(of: UInt8(ascii: ":")) else {
                return nil
            }
            return Array(decoded[(colon + 1)...])
        default: return nil
        }
    }

    /// Splits credentials into the scheme, in lowercase, and what follows it (RFC 9110 section 11.4).
    static func parts(of value: String) -> (scheme: String, rest: [UInt8])? {
        let words = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        return words.count < 2 ? nil : (words[0].lowercased(), Array(words[1].utf8.drop { $0 == 0x20 }))
    }

    /// Whether a given token is the expected one. The time depends only on the length of the given token, so it doesn't
    /// reveal how many of its bytes are correct.
    @inline(never)
    static func isEqual(_ given: [UInt8], _ expected: [UInt8]) -> Bool {
        guard !expected.isEmpty else { return false }
        var difference = given.count ^ expected.count
        for index in given.indices { difference |= Int(given[index] ^ expected[index % expected.count]) }
        return difference == 0
    }
}
