// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds segments of a path that are secret because of the segments around them: `/reset/8f14e45f…`,
/// `/webhooks/3f9a…/x7Rk…`, `/invitations/8f14e45f…/accept`, or because of their own first word:
/// `/private-3f9a…/basic.ics`. Plural names are collections, whose members have identifiers: `/tokens/8f14e45f…`.
enum PathSecrets {
    /// What a segment says about the segments after it.
    private enum Role {
        /// They are secret if they look random.
        case secret
        /// They are secret if they are longer than identifiers and mix all kinds of characters: `/send/x7Rk…`.
        case capability
        /// They are identifiers, except before an action on a secret link: `/invitations/8f14e45f…/accept`.
        case collection
        /// They are secret if they look random and follow the identifier of a Slack workspace:
        /// `/workflows/T0…/A0…/17…/x7Rk…`.
        case slack
        /// The next one is a customer token of Loggly if it is a UUID before `tag`: `/inputs/550e…/tag/http`.
        case loggly
        /// The next one is a device token of ThingsBoard if a segment of the device API follows:
        /// `/api/v1/x7Rk…/telemetry`.
        case device
    }

    private static let roles: [[UInt8]: Role] = {
        var roles: [[UInt8]: Role] = [:]
        func add(_ names: [String], _ role: Role) { for name in names { roles[Array(name.utf8)] = role } }
        add(
            [
                "accesstoken", "activate", "activation", "apikey", "appmanifests", "auth", "catch", "confirm",
                "confirmation", "confirmemail", "emailverification", "forgotpassword", "guestcarts", "hook", "hooks",
                "incomingwebhook", "invitation", "invite", "key", "magic", "magiclink", "passwordreset", "receiver",
                "recover", "reset", "resetpassword", "secret", "sig", "signature", "token", "unsubscribe",
                "verification", "verify", "verifyemail", "webhook", "webhookb", "webhooks",
            ],
            .secret
        )
        add(
            [
                "activations", "confirmations", "invitations", "invites", "magiclinks", "passwordresets", "resets",
                "verifications",
            ],
            .collection
        )
        add(["flow", "get", "send"], .capability)
        add(["actions", "commands", "services", "triggers", "workflows"], .slack)
        add(["bulk", "inputs"], .loggly)
        add(["v"], .device)
        return roles
    }()

    private static let actions = Set(words: [
        "accept", "activate", "claim", "confirm", "decline", "redeem", "reject", "verify",
    ])

    private static let telemetry = Set(words: ["attributes", "claim", "provision", "rpc", "telemetry"])

    /// The minimum length of a segment. Shorter random texts are often identifiers.
    static let minimumLength = 16

    /// Returns the cuts for the secret segments of `path`.
    static func cuts(in path: [UInt8]) -> [Cut] {
        let slice = path[...]
        guard hasLongSegment(slice.span) else { return [] }
        let segments = path.split(separator: UInt8(ascii: "/"))
        var cuts: [Cut] = []
        var role: Role?
        // The number of segments since the one with the role.
        var distance = 0
        for (number, segment) in segments.enumerated() {
            distance += 1
            let next = number + 1 < segments.count ? segments[number + 1] : nil
            if let role, isSecret(segment, role, distance, before: next) {
                cuts.append(Cut(range: segment.startIndex..<segment.endIndex, replacement: .marker(0)))
                continue
            }
            if let start = endOfPrefix(segment), isSecret(segment[start...]) {
                cuts.append(Cut(range: start..<segment.endIndex, replacement: .marker(0)))
                continue
            }
            if let role, continues(role, after: segment, distance) { continue }
            role = roles[NameWords(segment.span).letters]
            if role == .device, number == 0 || !segments[number - 1].elementsEqual("api".utf8) { role = nil }
            distance = 0
        }
        return cuts
    }

    /// Whether a segment is long enough to be secret and has a digit or an uppercase letter. Most paths have none.
    static func hasLongSegment(_ path: Span<UInt8>) -> Bool {
        var length = 0
        var isMixed = false
        for index in path.indices {
            let byte = path[index]
            if byte == UInt8(ascii: "/") {
                if isMixed, length >= minimumLength { return true }
                (length, isMixed) = (0, false)
            } else {
                length += 1
                if isDigit(byte) || byte &- 0x41 < 26 { isMixed = true }
            }
        }
        return isMixed && length >= minimumLength
    }

    private static let prefixes = ["private-", "secret-", "token-"].map { Array($0.utf8) }

    /// Returns the index after the word with which a secret segment starts.
    private static func endOfPrefix(_ segment: ArraySlice<UInt8>) -> Int? {
        prefixes.first { segment.starts(with: $0) }.map { segment.startIndex + $0.count }
    }

    private static func isSecret(
        _ segment: ArraySlice<UInt8>,
        _ role: Role,
        _ distance: Int,
        before next: ArraySlice<UInt8>?
    ) -> Bool {
        switch role {
        case .secret: isSecret(segment)
        case .capability: segment.count >= minimumCapability && isMixed(segment) && isSecret(segment)
        case .collection: next.map { actions.contains(NameWords($0.span).letters) } == true && isSecret(segment)
        case .slack: distance > 1 && isSecret(segment)
        case .device:
            distance == 1 && next.map { telemetry.contains(Array($0)) } == true && isSecret(segment)
                && segment.contains { $0 | 0x20 > UInt8(ascii: "f") }
        case .loggly: distance == 1 && next?.elementsEqual("tag".utf8) == true && RandomValue.isUUID(segment.span)
        }
    }

    /// Whether the role of an earlier segment also applies after this one. The identifier of a webhook and the version
    /// of an API precede the secret.
    private static func continues(_ role: Role, after segment: ArraySlice<UInt8>, _ distance: Int) -> Bool {
        switch role {
        case .secret:
            segment.allSatisfy(isDigit) || isUUID(segment) || isVersion(segment)
                || distance == 1 && isEncodedNumber(segment)
        case .capability: segment.allSatisfy(isDigit) || isVersion(segment)
        case .slack: isSlackIdentifier(segment, isWorkspace: distance == 1)
        case .collection, .device, .loggly: false
        }
    }

    /// Whether a segment can be the number of a user in Base64, as in the links of Django: `/activate/MTI/x7Rk…`.
    private static func isEncodedNumber(_ segment: ArraySlice<UInt8>) -> Bool {
        guard 2...8 ~= segment.count, segment.contains(where: { $0 &- 0x41 < 26 }),
            let number = Base64.decodeLeniently(segment)
        else { return false }
        return !number.isEmpty && number.allSatisfy(isDigit)
    }

    /// Whether a segment has lowercase letters, capital letters, and digits.
    private static func isMixed(_ segment: ArraySlice<UInt8>) -> Bool {
        segment.contains(where: isDigit) && segment.contains { $0 &- 0x41 < 26 } && segment.contains { $0 &- 0x61 < 26 }
    }

    /// The minimum length of a secret segment after a common word such as `send`. Identifiers are shorter.
    private static let minimumCapability = 40

    /// Whether a segment is a UUID, possibly in percent-encoded braces.
    private static func isUUID(_ segment: ArraySlice<UInt8>) -> Bool {
        if segment.count == 42, segment.hasPrefix("%7B"), segment.suffix(3).hasPrefix("%7D") {
            let inner = segment.dropFirst(3).dropLast(3)
            return RandomValue.isUUID(inner.span)
        }
        return RandomValue.isUUID(segment.span)
    }

    /// Whether a segment is a version or a protocol, as in the URL of a log collector: `/receiver/v1/http/x7Rk…`.
    private static func isVersion(_ segment: ArraySlice<UInt8>) -> Bool {
        if segment.elementsEqual("http".utf8) { return true }
        return 2...4 ~= segment.count && segment.hasPrefix("v") && segment.dropFirst().allSatisfy(isDigit)
    }

    /// Whether a segment consists of capital letters and digits, like the identifiers of Slack. The identifier of a
    /// workspace starts with `T`.
    private static func isSlackIdentifier(_ segment: ArraySlice<UInt8>, isWorkspace: Bool) -> Bool {
        guard segment.allSatisfy({ isDigit($0) || $0 &- 0x41 < 26 }) else { return false }
        return !isWorkspace || segment.count > 1 && segment.hasPrefix("T")
    }

    /// Whether a segment is the name of an archive or of a file that web pages load. It can contain a hash of the file.
    private static func isFileName(_ segment: ArraySlice<UInt8>) -> Bool {
        guard let dot = segment.suffix(6).lastIndex(of: UInt8(ascii: ".")) else { return false }
        return fileTypes.contains(Array(segment[(dot + 1)...]))
    }

    private static let fileTypes = Set(words: [
        "css", "gif", "gz", "ico", "jpeg", "jpg", "js", "map", "mjs", "png", "svg", "tgz", "wasm", "webp", "woff",
        "woff2", "zip",
    ])

    private static func isSecret(_ segment: ArraySlice<UInt8>) -> Bool {
        guard !isFileName(segment) else { return false }
        // The address of a contract on a blockchain is public.
        return segment.count >= minimumLength && !isUUID(segment) && !(segment.count == 42 && segment.hasPrefix("0x"))
            && !RedactionMarker.occurs(in: segment.span) && RandomValue.looksRandom(segment.span)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasPrefix(_ text: StaticString) -> Bool { starts(with: text.description.utf8) }
}
