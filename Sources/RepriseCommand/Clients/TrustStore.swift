// SPDX-License-Identifier: Apache-2.0

import RepriseStorage

/// A place where programs look for the authorities that they trust, with the commands that change it.
struct TrustStore {
    let name: String
    /// The commands that add the authority.
    let additions: [[String]]
    /// The commands that remove it.
    let removals: [[String]]
    /// A command that succeeds if the store has the authority.
    let check: [String]
    /// A command that succeeds if the store has it, or a former one.
    let presence: [String]
    /// Whether this process may run the commands. If not, they are printed for the user.
    let isChangeable: Bool

    /// The name of the authority's certificate in the stores.
    private static let label = "reprise-ca"

    /// Returns the stores on this machine.
    ///
    /// - Parameters:
    ///   - certificate: The path of the authority's certificate.
    ///   - home: The user's home folder.
    ///   - folders: Returns the paths of the folders in a folder.
    static func all(certificate: String, home: String, folders: (String) -> [String]) -> [TrustStore] {
        #if os(macOS)
            let keychain = "\(home)/Library/Keychains/login.keychain-db"
            let system = TrustStore(
                name: "the login keychain",
                additions: [["security", "add-trusted-cert", "-r", "trustRoot", "-k", keychain, certificate]],
                removals: [["security", "remove-trusted-cert", certificate]],
                check: ["security", "verify-cert", "-q", "-c", certificate],
                presence: ["security", "verify-cert", "-q", "-c", certificate],
                isChangeable: true
            )
            return [system]
        #else
            let databases = ["\(home)/.pki/nssdb"] + folders("\(home)/.mozilla/firefox")
            return [debian(certificate)].compactMap(\.self)
                + databases.filter { FilePlace("\($0)/cert9.db").exists }.map { nss($0, certificate) }
        #endif
    }

    private static func debian(_ certificate: String) -> TrustStore? {
        let folder = FilePlace("/usr/local/share/ca-certificates")
        guard folder.isFolder else { return nil }
        let copy = "\(folder.path)/\(label).crt"
        // update-ca-certificates doesn't tell its hooks about a removed file, so Java would go on trusting it.
        let hooks = #"for h in /etc/ca-certificates/update.d/*; do [ ! -x "$h" ] || echo "-$0" | "$h"; done"#
        return TrustStore(
            name: "the system's certificates",
            additions: [["install", "-m", "644", certificate, copy], ["update-ca-certificates"]],
            removals: [
                ["rm", "-f", copy], ["update-ca-certificates", "--fresh"],
                ["sh", "-c", hooks, "/etc/ssl/certs/\(label).pem"],
            ],
            check: ["cmp", "-s", certificate, copy],
            presence: ["test", "-e", copy],
            isChangeable: folder.isWritable
        )
    }

    /// The database of Chromium or of a profile of Firefox. `certutil` is in Debian's package `libnss3-tools`.
    private static func nss(_ folder: String, _ certificate: String) -> TrustStore {
        let entry = ["-d", "sql:\(folder)", "-n", label]
        return TrustStore(
            name: folder,
            additions: [["certutil", "-A", "-t", "C,,", "-i", certificate] + entry],
            removals: [["certutil", "-D"] + entry],
            check: ["sh", "-c", #"certutil -L -a "$@" 2>/dev/null | tr -d '\r' | cmp -s - "$0""#, certificate] + entry,
            presence: ["sh", "-c", #"exec certutil -L "$@" >/dev/null 2>&1"#, "certutil"] + entry,
            isChangeable: true
        )
    }
}
