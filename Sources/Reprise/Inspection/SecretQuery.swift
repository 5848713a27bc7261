// SPDX-License-Identifier: Apache-2.0

/// Parameters of a query that let someone in.
enum SecretQuery {
    /// What stands in place of a secret.
    static let marker = "[redacted]"

    /// A request's target with the values of such parameters replaced.
    static func redacted(_ target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return target }
        let pairs = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let redacted = pairs.map { pair in
            guard let equals = pair.firstIndex(of: "="), isSecret(pair[..<equals]) else { return String(pair) }
            return "\(pair[...equals])\(URLPart.value.escape(marker))"
        }
        return "\(target[..<mark])?\(redacted.joined(separator: "&"))"
    }

    /// Names are compared whole, in any case and with `_` or `-` between their words or nothing.
    private static func isSecret(_ name: Substring) -> Bool {
        let bare = name.lowercased().filter { $0 != "_" && $0 != "-" }
        return [
            "apikey", "accesskey", "accesstoken", "authtoken", "refreshtoken", "idtoken", "token", "password", "passwd",
            "secret", "clientsecret", "signature", "sig", "key", "xamzsignature", "xamzsecuritytoken",
        ].contains(bare)
    }
}
