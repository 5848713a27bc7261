// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds segments of a path that are secret because of the segment before them: `/reset/8f14e45f…`,
/// `/webhooks/3f9a…/x7Rk…`, or because of their own first word: `/private-3f9a…/basic.ics`. Plural names are
/// collections, whose members have identifiers: `/tokens/8f14e45f…`.
enum PathSecrets {
    private static let names: Set<[UInt8]> = Set(
        [
            "accesstoken", "activate", "activation", "apikey", "auth", "catch", "confirm", "confirmation", "hook",
            "hooks", "incomingwebhook",
            "invitation", "invite", "key", "magic", "magiclink", "passwordreset", "reset", "resetpassword", "secret",
            "sig",
            "signature", "token", "unsubscribe", "verification", "verify", "verifyemail", "webhook", "webhookb",
            "webhooks",
        ].map { Array($0.utf8) }
    )

    /// The minimum length of a segment. Shorter random texts are often identifiers.
    private static let minimumLength = 16

    /// Returns the cuts for the secret segments of `path`.
    static func cuts(in path: [UInt8]) -> [Cut] {
        guard hasLongSegment(path) else { return [] }
        var cuts: [Cut] = []
        var isNamed = false
        for segment in path.split(separator: UInt8(ascii: "/")) {
            if isNamed, isSecret(segment) {
                cuts.append(Cut(range: segment.startIndex..<segment.endIndex, replacement: .marker(0)))
                continue
            }
            if let start = endOfPrefix(segment), isSecret(segment[start...]) {
                cuts.append(Cut(range: start..<segment.endIndex, replacement: .marker(0)))
                continue
            }
            // The identifier of a webhook comes before its secret.
            if isNamed, segment.allSatisfy(isDigit) || RandomValue.isUUID(segment.span) { continue }
            isNamed = names.contains(NameWords(segment.span).letters)
        }
        return cuts
    }

    /// Whether a segment is long enough to be secret. Most paths have none.
    private static func hasLongSegment(_ path: [UInt8]) -> Bool {
        var start = 0
        for index in path.indices where path[index] == UInt8(ascii: "/") {
            if index - start >= minimumLength { return true }
            start = index + 1
        }
        return path.count - start >= minimumLength
    }

    private static let prefixes = ["private-", "secret-", "token-"].map { Array($0.utf8) }

    /// Returns the index after the word with which a secret segment starts.
    private static func endOfPrefix(_ segment: ArraySlice<UInt8>) -> Int? {
        prefixes.first { segment.starts(with: $0) }.map { segment.startIndex + $0.count }
    }

    private static func isSecret(_ segment: ArraySlice<UInt8>) -> Bool {
        segment.count >= minimumLength && !RandomValue.isUUID(segment.span)
            && !RedactionMarker.occurs(in: segment.span) && RandomValue.looksRandom(segment.span)
    }
}
