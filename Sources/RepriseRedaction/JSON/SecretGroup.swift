// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The arrays and objects that are open in one that has the name of a secret: none, mostly.
struct SecretGroup: Sendable {
    private var depth = 0
    /// Which of the innermost are objects, a bit each.
    private var objects: UInt64 = 0
    /// What the name says.
    private var verdict: SecretNames.Verdict?
    /// Whether the next string is a key.
    private(set) var isKeyDue = false

    /// Whether there is none.
    var isEmpty: Bool { depth == 0 }

    /// One starts, whose name says so.
    mutating func open(isObject: Bool, _ verdict: SecretNames.Verdict?) {
        guard depth > 0 || verdict != nil else { return }
        if depth == 0 { self.verdict = verdict }
        depth += 1
        // Of those far down nobody knows: all their strings go.
        objects = objects << 1 | (isObject && depth <= 64 ? 1 : 0)
        isKeyDue = objects & 1 == 1
    }

    /// One ends, or one that nobody asked for; returns what is said of what follows.
    mutating func close() -> SecretNames.Verdict? {
        guard depth > 0 else { return nil }
        depth -= 1
        objects >>= 1
        isKeyDue = false
        return depth > 0 ? verdict : nil
    }

    /// A colon follows a key; returns what is said of its value, of which `own` is what the key says.
    mutating func colon(_ own: SecretNames.Verdict?) -> SecretNames.Verdict? {
        guard depth > 0, let verdict else { return own }
        isKeyDue = false
        guard let own, !own.isLikely else { return verdict }
        return own
    }

    /// A comma follows a value; returns what is said of the next one.
    mutating func comma() -> SecretNames.Verdict? {
        guard depth > 0 else { return nil }
        isKeyDue = objects & 1 == 1
        return verdict
    }
}
