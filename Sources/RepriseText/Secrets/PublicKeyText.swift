// SPDX-License-Identifier: Apache-2.0

/// Recognizes public keys of OpenSSH, and Base64 of public keys and certificates in PEM.
package enum PublicKeyText {
    /// Base64 of the first bytes of public keys (RFC 4253 section 6.6): the length of the algorithm's name, and the
    /// name.
    private static let keys = ["AAAAB3NzaC1", "AAAAC3NzaC1lZDI1NTE5", "AAAAE2VjZHNh", "AAAAInNrL", "AAAAGnNrLXNzaC"]
        .map { Array($0.utf8) }
    /// Base64 of `-----BEGIN CERTIFICATE` and `-----BEGIN PUBLIC KEY`.
    private static let blocks = ["LS0tLS1CRUdJTiBDRVJUSUZJQ0FU", "LS0tLS1CRUdJTiBQVUJMSUMg"].map { Array($0.utf8) }
    private static let algorithms = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-sha2-"].map { Array($0.utf8) }

    /// Whether a text starts like the Base64 of a public key of OpenSSH: `AAAAC3…`.
    static func isKey(_ text: Span<UInt8>) -> Bool {
        keys.contains { text.has($0, at: 0) }
    }

    /// Whether a value is an algorithm and a public key of OpenSSH: `ssh-ed25519 AAAAC3…`.
    static func isLine(_ value: Span<UInt8>) -> Bool {
        guard algorithms.contains(where: { value.has($0, at: 0) }) else { return false }
        for index in value.indices where value[index] == 0x20 {
            return isKey(value.extracting(index + 1..<value.count))
        }
        return false
    }

    /// Whether a value is a public key or a certificate, even if it has the name of a secret.
    package static func isPublic(_ value: Span<UInt8>) -> Bool {
        isLine(value) || isKey(value) || blocks.contains { value.has($0, at: 0) }
    }
}
