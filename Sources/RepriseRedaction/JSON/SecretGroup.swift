// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An array or object whose name suggests a secret, and the arrays and objects that are open within it. Usually, no
/// such array or object is open.
struct SecretGroup: Sendable {
    private var depth = 0
    /// Which of the innermost ones are objects, with one bit for each.
    private var objects: UInt64 = 0
    /// Which of the innermost ones are arrays whose name describes the secret, with one bit for each.
    private var descriptions: UInt64 = 0
    private var verdict: SecretNames.Verdict?
    /// Whether the name is that of credentials, of which an identifier can be a part.
    private var isCredentials = false
    /// The group around one within it that is certain, and the depth of that one: `{"credentials": {"password": {…}}}`.
    private var outer: (depth: Int, verdict: SecretNames.Verdict?, isCredentials: Bool)?
    /// Whether an identifier deeper within it can be a part of credentials. The `token` of a session contains the
    /// identifiers of its user and of other things.
    private var mayBeIdentifier = true
    /// Whether the next string is a key.
    private(set) var isKeyDue = false

    /// Whether no such array or object is open.
    var isEmpty: Bool { depth == 0 }

    /// Opens an array or object with the verdict on its name.
    mutating func open(isObject: Bool, _ verdict: SecretNames.Verdict?) {
        if depth == 0 {
            guard let inner = verdict?.inGroup else { return }
            self.verdict = inner
            isCredentials = verdict?.kind != .likelyGroup
            mayBeIdentifier = verdict?.kind != .likelyCode
        } else if outer == nil, isCredentials, let inner = verdict?.inGroup, inner.isCertain,
            self.verdict?.isCertain == false
        {
            outer = (depth + 1, self.verdict, isCredentials)
            (self.verdict, isCredentials) = (inner, true)
        }
        depth += 1
        descriptions = descriptions << 1 | (!isObject && verdict == nil && depth <= 64 ? 1 : 0)
        // Deeper containers are not tracked, so all of their strings are redacted.
        objects = objects << 1 | (isObject && depth <= 64 ? 1 : 0)
        isKeyDue = objects & 1 == 1
    }

    /// Closes an array or object, if any is open. Returns the verdict on the values that follow.
    mutating func close() -> SecretNames.Verdict? {
        guard depth > 0 else { return nil }
        if let group = outer, group.depth == depth {
            (verdict, isCredentials) = (group.verdict, group.isCredentials)
            outer = nil
        }
        depth -= 1
        objects >>= 1
        descriptions >>= 1
        isKeyDue = false
        return depth > 0 ? verdict : nil
    }

    /// Handles the colon after a key. `own` is the verdict on the key. Returns the verdict on the value.
    ///
    /// - Parameter role: What the key says about its value. It counts only inside a group.
    mutating func colon(_ own: SecretNames.Verdict?, _ role: SecretNames.Role) -> SecretNames.Verdict? {
        guard depth > 0, let verdict else { return own }
        isKeyDue = false
        if let own, !own.isLikely { return own }
        switch role {
        case .allowed: return nil
        case .identifier where isCredentials && (depth == 1 || mayBeIdentifier): return verdict
        case .identifier where own == nil, .descriptive where own == nil:
            return verdict.isLikely ? nil : SecretNames.Verdict(.likely, marker: verdict.marker)
        case .fallback: return SecretNames.Verdict(.likely, marker: verdict.marker)
        case .identifier, .descriptive, .value: return verdict
        }
    }

    /// Handles the comma after a value. Returns the verdict on the next value.
    mutating func comma() -> SecretNames.Verdict? {
        guard depth > 0 else { return nil }
        isKeyDue = objects & 1 == 1
        return descriptions & 1 == 1 ? nil : verdict
    }
}

extension SecretNames.Verdict {
    /// Whether every value is secret, except possibly counts, results, and text that only describes a secret.
    var isCertain: Bool { kind == .sure || kind == .sureUnlessDigit }

    /// The verdict on the strings in an object or array with this verdict, or `nil` if they do not depend on its name.
    var inGroup: SecretNames.Verdict? {
        switch kind {
        case .sure, .sureUnlessDigit, .code, .link: self
        case .group, .likelyGroup, .likelyCode: SecretNames.Verdict(.likely, marker: marker)
        case .likely, .credential, .connection, .long, .cardCode, .card: nil
        }
    }
}
