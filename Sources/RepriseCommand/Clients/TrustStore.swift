// SPDX-License-Identifier: Apache-2.0

import RepriseStorage

/// A place where programs look for the authorities that they trust, with the commands that change it.
struct TrustStore {
    /// Which authority a store has.
    enum State: Equatable {
        case current
        /// A former authority, or this one in only some parts of the store.
        case outdated
        case absent
        /// The store cannot be read. The text says what to do first.
        case unknown(String)
    }

    let name: String
    /// The path of the authority's certificate.
    let certificate: String
    /// The commands that add the authority; none if the system uses a tool that isn't known here.
    let additions: [[String]]
    /// The commands that remove it.
    let removals: [[String]]
    /// Whether this process may run the commands. If not, they are printed for the user.
    let isChangeable: Bool
    /// Returns what the programs that use the store find in it.
    let state: (Machine) -> State

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
            return [keychain("\(home)/Library/Keychains/login.keychain-db", certificate)]
        #else
            let databases = ["\(home)/.pki/nssdb"] + folders("\(home)/.mozilla/firefox")
            let folder = FilePlace("/usr/local/share/ca-certificates")
            return [system(certificate, folder: folder.isFolder ? folder : nil)]
                + databases.filter { FilePlace("\($0)/cert9.db").exists }.map { database($0, certificate) }
        #endif
    }

    /// The certificates in the system's folders and bundles.
    ///
    /// - Parameter folder: The folder of Debian's tool, or nil if the system has another tool.
    static func system(_ certificate: String, folder: FilePlace?) -> TrustStore {
        let (copy, link) = ("\(folder?.path ?? "")/\(label).crt", "/etc/ssl/certs/\(label).pem")
        // update-ca-certificates doesn't tell its hooks about a removed file, so Java would go on trusting it.
        let hooks =
            #"r=0; for h in /etc/ca-certificates/update.d/*; do "#
            + #"[ ! -x "$h" ] || echo "-$0" | "$h" || r=1; done; exit $r"#
        let removals = [["rm", "-f", copy], ["update-ca-certificates", "--fresh"], ["sh", "-c", hooks, link]]
        return TrustStore(
            name: "the system's certificates",
            certificate: certificate,
            additions: folder == nil ? [] : [["install", "-m", "644", certificate, copy], ["update-ca-certificates"]],
            removals: folder == nil ? [] : removals,
            isChangeable: folder?.isWritable ?? false,
            state: { $0.systemState(certificate, parts: folder == nil ? [] : [copy, link]) }
        )
    }

    /// The database of Chromium or of a profile of Firefox. `certutil` is in Debian's package `libnss3-tools`.
    static func database(_ folder: String, _ certificate: String) -> TrustStore {
        let entry = ["-d", "sql:\(folder)", "-n", label]
        // certutil ends with 255 for every failure.
        let presence = #"""
            text=$(certutil -L "$@" 2>&1 >/dev/null); status=$?
            case "$text" in *PR_FILE_NOT_FOUND_ERROR*) exit 44;; esac
            exit $status
            """#
        let equality = #"certutil -L -a "$@" | tr -d '\r' | cmp -s - "$0""#
        return TrustStore(
            name: folder,
            certificate: certificate,
            additions: [["certutil", "-A", "-t", "C,,", "-i", certificate] + entry],
            removals: [["certutil", "-D"] + entry],
            isChangeable: true,
            state: { machine in
                switch machine.run(["sh", "-c", presence, "certutil"] + entry) {
                case 0: machine.run(["sh", "-c", equality, certificate] + entry) == 0 ? .current : .outdated
                case 44: .absent
                case 127: .unknown("install certutil (libnss3-tools on Debian)")
                case let status: .unknown("end the programs that use it, because certutil failed with \(status)")
                }
            }
        )
    }

    static func keychain(_ keychain: String, _ certificate: String) -> TrustStore {
        TrustStore(
            name: "the login keychain",
            certificate: certificate,
            additions: [["security", "add-trusted-cert", "-r", "trustRoot", "-k", keychain, certificate]],
            removals: [["security", "remove-trusted-cert", certificate]],
            isChangeable: true,
            state: { machine in
                guard machine.hasEntry(certificate) else { return .absent }
                switch machine.run(["security", "verify-cert", "-q", "-c", certificate]) {
                case 0: return .current
                case 1: return .absent
                case let status: return .unknown("find out why security verify-cert failed with \(status)")
                }
            }
        )
    }
}
