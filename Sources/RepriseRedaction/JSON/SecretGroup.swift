// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An array or object whose name suggests a secret, and the arrays and objects that are open within it. Usually, no
/// such array or object is open.
struct SecretGroup: Sendable {
    private var depth = 0
    /// Which of the innermost ones are objects, with one bit for each.
    private var objects: UInt64 = 0
    /// The verdict on the name.
    private var verdict: SecretNames.Verdict?
    /// Whether the next string is a key.
    private(set) var isKeyDue = false

    /// Whether no such array or object is open.
    var isEmpty: Bool { depth == 0 }

    /// Opens an array or object with the verdict on its name.
    mutating func open(isObject: Bool, _ verdict: SecretNames.Verdict?) {
        guard depth > 0 || verdict != nil else { return }
        if depth == 0 { self.verdict = verdict }
        depth += 1
        // Deeper containers are not tracked, so all of their strings are redacted.
        objects = objects << 1 | (isObject && depth <= 64 ? 1 : 0)
        isKeyDue = objects & 1 == 1
    }

    /// Closes an array or object, if any is open. Returns the verdict on the values that follow.
    mutating func close() -> SecretNames.Verdict? {
        guard depth > 0 else { return nil }
        depth -= 1
        objects >>= 1
        isKeyDue = false
        return depth > 0 ? verdict : nil
    }

    /// Handles the colon after a key. `own` is the verdict on the key. Returns the verdict on the value.
    mutating func colon(_ own: SecretNames.Verdict?) -> SecretNames.Verdict? {
        guard depth > 0, let verdict else { return own }
        isKeyDue = false
        guard let own, !own.isLikely else { return verdict }
        return own
    }

    /// Handles the comma after a value. Returns the verdict on the next value.
    mutating func comma() -> SecretNames.Verdict? {
        guard depth > 0 else { return nil }
        isKeyDue = objects & 1 == 1
        return verdict
    }
}
